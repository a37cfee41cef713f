import { useMemo, useState } from 'preact/hooks';
import type { Restaurant } from '../api/shapes.js';
import { countText, numberText } from '../amounts.js';
import { isFound } from '../data/sent-days.js';
import { closeMenu, Menu } from './menu.js';
import { Search } from './search.js';
import { useWindow } from './use-window.js';

const ROW_HEIGHT = 32;

interface RestaurantPickerProps {
  readonly restaurants: readonly Restaurant[];
  /** Identifiers of those that are chosen; none stands for all. */
  readonly ids: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
}

/** Chooses some restaurants of thousands, by name or number. */
export function RestaurantPicker({ restaurants, ids, choose }: RestaurantPickerProps) {
  const [first] = ids;
  const only = restaurants.find(({ restaurant_id: id }) => id === first);
  const value =
    ids.length === 0
      ? `all ${numberText(restaurants.length)}`
      : ids.length === 1
        ? (only?.name ?? first)
        : `${numberText(ids.length)} of ${numberText(restaurants.length)}`;
  return (
    <Menu label="Restaurants" value={value}>
      <RestaurantList key={ids.join()} restaurants={restaurants} ids={ids} choose={choose} />
    </Menu>
  );
}

function RestaurantList({ restaurants, ids, choose }: RestaurantPickerProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(ids));
  const found = useMemo(
    () => restaurants.filter((restaurant) => isFound(restaurant, text)),
    [restaurants, text],
  );
  const { frame, first, end, onScroll } = useWindow(found.length, ROW_HEIGHT);
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const apply = (next: readonly string[], element: EventTarget | null): void => {
    choose(next);
    closeMenu(element);
  };
  return (
    <div class="restaurant-list">
      <Search label="Name or number" value={text} search={setText} />
      <p class="note" role="status">
        {countText(found.length, 'restaurant')} found, {numberText(chosen.size)} chosen
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
        {found.slice(first, end).map(({ restaurant_id: id, name }) => (
          <label key={id} title={name}>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
            <span class="cut">{name}</span> <small class="note">{id}</small>
          </label>
        ))}
        <div style={{ height: `${(found.length - end) * ROW_HEIGHT}px` }} />
      </div>
      <div class="actions">
        <button type="button" onClick={(event) => apply([], event.currentTarget)}>
          All restaurants
        </button>
        <button
          type="button"
          class="primary"
          disabled={chosen.size === 0}
          onClick={(event) => apply([...chosen], event.currentTarget)}
        >
          Show {countText(chosen.size, 'restaurant')}
        </button>
      </div>
    </div>
  );
}
