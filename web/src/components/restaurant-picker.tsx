import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText, numberText } from '../amounts.js';
import type { Restaurant } from '../api/shapes.js';
import { isFound } from '../data/sent-days.js';
import { closeMenu, Menu } from './menu.js';
import { Search } from './search.js';
import { useWindow } from './use-window.js';

/** The height that styles/components.css gives to a row. */
const ROW_HEIGHT = 32;

interface RestaurantPickerProps {
  readonly restaurants: readonly Restaurant[];
  /** Identifiers of those that are chosen; none stands for all. */
  readonly ids: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
}

/** Chooses some restaurants of thousands, by name or number. */
export function RestaurantPicker({ restaurants, ids, choose }: RestaurantPickerProps) {
  return (
    <Menu label="Restaurants" value={valueOf(restaurants, ids)}>
      <Chooser key={ids.join()} restaurants={restaurants} ids={ids} choose={choose} />
    </Menu>
  );
}

function valueOf(restaurants: readonly Restaurant[], ids: readonly string[]): string {
  const all = numberText(restaurants.length);
  if (ids.length === 0) return `all ${all}`;
  if (ids.length > 1) return `${numberText(ids.length)} of ${all}`;
  return restaurants.find(({ restaurant_id: id }) => id === ids[0])?.name ?? ids[0]!;
}

function Chooser({ restaurants, ids, choose }: RestaurantPickerProps) {
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
  return (
    <div class="restaurant-list">
      <RestaurantRows restaurants={restaurants} note={`, ${numberText(chosen.size)} chosen`}>
        {({ restaurant_id: id, name }) => (
          <label key={id} title={name}>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
            <span class="cut">{name}</span> <small class="note">{id}</small>
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
          disabled={chosen.size === 0}
          onClick={apply([...chosen])}
        >
          Show {countText(chosen.size, 'restaurant')}
        </button>
      </div>
    </div>
  );
}

interface RestaurantMenuProps {
  readonly restaurants: readonly Restaurant[];
  /** The one that is shown. */
  readonly name: string;
  readonly addressOf: (id: string) => string;
}

/** Leads from one restaurant to another one of thousands. */
export function RestaurantMenu({ restaurants, name, addressOf }: RestaurantMenuProps) {
  return (
    <Menu label="Restaurant" value={name}>
      <div class="restaurant-list">
        <RestaurantRows restaurants={restaurants}>
          {({ restaurant_id: id, name: each }) => (
            <a key={id} href={addressOf(id)} title={each}>
              <span class="cut">{each}</span> <small class="note">{id}</small>
            </a>
          )}
        </RestaurantRows>
      </div>
    </Menu>
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
  const { restaurants, known } = useAccount();
  return (
    <Menu label={label} value={known.get(value)?.name ?? (value || 'Choose…')}>
      <div class="restaurant-list">
        <RestaurantRows restaurants={restaurants}>
          {({ restaurant_id: id, name }) => (
            <button
              type="button"
              key={id}
              title={name}
              onClick={({ currentTarget }) => {
                closeMenu(currentTarget);
                choose(id);
              }}
            >
              <span class="cut">{name}</span> <small class="note">{id}</small>
            </button>
          )}
        </RestaurantRows>
      </div>
    </Menu>
  );
}

interface RowsProps {
  readonly restaurants: readonly Restaurant[];
  /** What is said behind the number of those that were found. */
  readonly note?: string;
  readonly children: (restaurant: Restaurant) => ComponentChildren;
}

/** Finds restaurants by name or number; only the rows that are seen are rendered. */
function RestaurantRows({ restaurants, note, children }: RowsProps) {
  const [text, setText] = useState('');
  const found = useMemo(
    () => restaurants.filter((restaurant) => isFound(restaurant, text)),
    [restaurants, text],
  );
  const { frame, first, end, onScroll } = useWindow(found.length, ROW_HEIGHT);
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
