import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { MAX_NAMED_RESTAURANTS } from '../../../src/sales/reports/report-limits.js';
import { nameOf, useAccount, useFound } from '../account.js';
import { countText, numberText } from '../amounts.js';
import type { Restaurant } from '../api/shapes.js';
import { Name } from './columns.js';
import { closeMenu, Menu } from './menu.js';
import { Search } from './search.js';
import { useWindow } from './use-window.js';

/** The height that styles/components.css gives to a row. */
const ROW_HEIGHT = 32;

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
      <Chooser key={ids.join()} ids={ids} choose={choose} />
    </Menu>
  );
}

function Chooser({ ids, choose }: RestaurantPickerProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(ids));
  const apply = (next: readonly string[]) => (event: Event) => {
    choose(next);
    closeMenu(event.currentTarget);
  };
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const isTooMany = chosen.size > MAX_NAMED_RESTAURANTS;
  return (
    <div class="restaurant-list">
      <RestaurantRows
        note={
          isTooMany ? `, at most ${MAX_NAMED_RESTAURANTS} can be chosen` : `, ${chosen.size} chosen`
        }
      >
        {(restaurant) => (
          <label key={restaurant.restaurant_id}>
            <input
              type="checkbox"
              checked={chosen.has(restaurant.restaurant_id)}
              onChange={() => toggle(restaurant.restaurant_id)}
            />
            <Name of={restaurant} />
          </label>
        )}
      </RestaurantRows>
      <div class="actions">
        <button type="button" onClick={apply([])}>
          All restaurants
        </button>
        <button
          type="button"
          class="primary"
          disabled={chosen.size === 0 || isTooMany}
          onClick={apply([...chosen])}
        >
          Show {countText(chosen.size, 'restaurant')}
        </button>
      </div>
    </div>
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
      <div class="restaurant-list">
        <RestaurantRows>
          {(each) => (
            <button
              type="button"
              key={each.restaurant_id}
              onClick={({ currentTarget }) => {
                closeMenu(currentTarget);
                choose(each.restaurant_id);
              }}
            >
              <Name of={each} />
            </button>
          )}
        </RestaurantRows>
      </div>
    </Menu>
  );
}

interface RowsProps {
  /** What is said behind the number of those that were found. */
  readonly note?: string;
  readonly children: (restaurant: Restaurant) => ComponentChildren;
}

/** Finds restaurants by name or number; only the rows that are seen are rendered. */
function RestaurantRows({ note, children }: RowsProps) {
  const [text, setText] = useState('');
  const found = useFound(text);
  const { frame, first, end, onScroll } = useWindow(found.length, ROW_HEIGHT, 'restaurants');
  return (
    <>
      <Search label="Name or number" value={text} search={setText} />
      <p class="note" role="status">
        {countText(found.length, 'restaurant')} found{note}
      </p>
      <div
        ref={frame}
        class="options"
        role="group"
        aria-label="Restaurants"
        tabIndex={0}
        onScroll={onScroll}
      >
        <div style={{ height: `${first * ROW_HEIGHT}px` }} />
        {found.slice(first, end).map(children)}
        <div style={{ height: `${(found.length - end) * ROW_HEIGHT}px` }} />
      </div>
    </>
  );
}
