import { useMemo, useState } from 'preact/hooks';
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
      <RestaurantList key={ids.join()} restaurants={restaurants} ids={ids} choose={choose} />
    </Menu>
  );
}

function valueOf(restaurants: readonly Restaurant[], ids: readonly string[]): string {
  const all = numberText(restaurants.length);
  if (ids.length === 0) return `all ${all}`;
  if (ids.length > 1) return `${numberText(ids.length)} of ${all}`;
  return restaurants.find(({ restaurant_id: id }) => id === ids[0])?.name ?? ids[0]!;
}

function RestaurantList({ restaurants, ids, choose }: RestaurantPickerProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(ids));
  const found = useMemo(
    () => restaurants.filter((restaurant) => isFound(restaurant, text)),
    [restaurants, text],
  );
  const apply = (next: readonly string[]) => (event: Event) => {
    choose(next);
    closeMenu(event.currentTarget);
  };
  return (
    <div class="restaurant-list">
      <Search label="Name or number" value={text} search={setText} />
      <p class="note" role="status">
        {countText(found.length, 'restaurant')} found, {numberText(chosen.size)} chosen
      </p>
      <Options found={found} chosen={chosen} set={setChosen} />
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

interface OptionsProps {
  readonly found: readonly Restaurant[];
  readonly chosen: ReadonlySet<string>;
  readonly set: (chosen: ReadonlySet<string>) => void;
}

function Options({ found, chosen, set }: OptionsProps) {
  const { frame, first, end, onScroll } = useWindow(found.length, ROW_HEIGHT);
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    set(next);
  };
  return (
    <div
      ref={frame}
      class="options"
      role="group"
      aria-label="Restaurants"
      tabIndex={0}
      onScroll={onScroll}
    >
      <div style={{ height: `${first * ROW_HEIGHT}px` }} />
      {found.slice(first, end).map(({ restaurant_id: id, name }) => (
        <label key={id} title={name}>
          <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          <span class="cut">{name}</span> <small class="note">{id}</small>
        </label>
      ))}
      <div style={{ height: `${(found.length - end) * ROW_HEIGHT}px` }} />
    </div>
  );
}
