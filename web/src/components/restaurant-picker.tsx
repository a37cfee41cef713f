import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { MAX_NAMED_RESTAURANTS } from '../../../src/sales/reports/report-limits.js';
import { nameOf, useAccount, useFound } from '../account.js';
import { countText, numberText } from '../amounts.js';
import type { Restaurant } from '../api/shapes.js';
import { Button, type ButtonEvent } from './button.js';
import { Name } from './columns.js';
import { closeMenu, Menu } from './menu.js';
import { Search } from './search.js';

interface RestaurantPickerProps {
  /** Identifiers of those that are chosen; none stands for all. */
  readonly ids: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
}

/** Chooses some restaurants of thousands, by name or number. */
export function RestaurantPicker({ ids, choose }: RestaurantPickerProps) {
  const account = useAccount();
  const all = numberText(account.count);
  const some = ids.length === 1 ? nameOf(account, ids[0]!) : `${ids.length} of ${all}`;
  return (
    <Menu label="Restaurants" value={ids.length === 0 ? `all ${all}` : some}>
      <Chooser ids={ids} choose={choose} />
    </Menu>
  );
}

function Chooser({ ids, choose }: RestaurantPickerProps) {
  const [chosen, setChosen] = useState(ids);
  const isTooMany = chosen.length > MAX_NAMED_RESTAURANTS;
  const apply = (next: readonly string[]) => (event: ButtonEvent) => {
    closeMenu(event);
    choose(next);
  };
  const note = isTooMany ? `at most ${MAX_NAMED_RESTAURANTS} can be` : chosen.length;
  return (
    <RestaurantList
      note={`, ${note} chosen`}
      actions={
        <>
          <Button act={apply([])}>All restaurants</Button>
          <Button class="primary" isOff={chosen.length === 0 || isTooMany} act={apply(chosen)}>
            Show {countText(chosen.length, 'restaurant')}
          </Button>
        </>
      }
    >
      {(restaurant) => {
        const { restaurant_id: id } = restaurant;
        const others = chosen.filter((each) => each !== id);
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={others.length < chosen.length}
              onChange={({ currentTarget }) =>
                setChosen(currentTarget.checked ? [...others, id] : others)
              }
            />
            <Name of={restaurant} />
          </label>
        );
      }}
    </RestaurantList>
  );
}

interface RestaurantChoiceProps {
  readonly label: string;
  /** The identifier of the one that is chosen; empty if none is. */
  readonly value: string;
  readonly choose: (id: string) => void;
}

/** Asks for one restaurant of thousands. */
export function RestaurantChoice({ label, value, choose }: RestaurantChoiceProps) {
  const { known } = useAccount();
  return (
    <Menu label={label} value={known.get(value)?.name ?? (value || 'Choose…')}>
      <RestaurantList>
        {(each) => (
          <Button
            key={each.restaurant_id}
            act={(event) => {
              closeMenu(event);
              choose(each.restaurant_id);
            }}
          >
            <Name of={each} />
          </Button>
        )}
      </RestaurantList>
    </Menu>
  );
}

interface RestaurantListProps {
  readonly note?: string;
  readonly actions?: ComponentChildren;
  readonly children: (restaurant: Restaurant) => ComponentChildren;
}

/** Finds restaurants by name or number; the browser draws only those that are seen. */
function RestaurantList({ note, actions, children }: RestaurantListProps) {
  const [text, setText] = useState('');
  const found = useFound(text);
  return (
    <div class="restaurant-list">
      <Search label="Name or number" value={text} search={setText} />
      <p class="note" role="status">
        {countText(found.length, 'restaurant')} found{note}
      </p>
      <div class="options" role="group" aria-label="Restaurants" tabIndex={0}>
        {found.map(children)}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}
