import { useId, useRef, useState } from 'preact/hooks';
import { useAccount, useFound } from './account.js';
import { numberText } from './amounts.js';
import type { Restaurant } from './api/shapes.js';
import { findDay } from './data/find-day.js';
import { rangeOfPeriod } from './data/periods.js';
import { longDate, shortDate } from './dates.js';
import { dayAddress, salesAddress } from './route.js';
import { useEvents } from './use-events.js';

const LABEL = 'Find a restaurant or a day';
const MAX_FOUND = 8;

interface Place {
  readonly address: string;
  readonly label: string;
  readonly note: string;
}

/** Goes to a restaurant, a day, or the day of a restaurant; the key `/` leads to it from anywhere. */
export function FindBox() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const all = usePlaces(text);
  const found = all.slice(0, MAX_FOUND);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEvents(['keydown'], (event) => {
    const { target, key, altKey, ctrlKey, metaKey } = event;
    const isTyping = target instanceof Element && target.matches('input, select, dialog *');
    if (key !== '/' || altKey || ctrlKey || metaKey || isTyping) return;
    event.preventDefault();
    field.current?.focus();
  });
  const write = (next: string): void => {
    setText(next);
    setAt(0);
  };
  const leave = (): void => {
    write('');
    field.current?.blur();
  };
  const open = ({ address }: Place): void => {
    location.hash = address;
    leave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = found[at];
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && place) open(place);
    else if (by !== undefined && place) setAt((at + by + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <div class="find">
      <input
        ref={field}
        type="search"
        role="combobox"
        list={undefined} // the types want it of every combobox
        placeholder={LABEL}
        aria-label={LABEL}
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        value={text}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="panel" hidden={text.trim() === ''}>
        <ul id={id} role="listbox" aria-label={LABEL}>
          {found.map((place, index) => (
            <li
              key={place.address}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => open(place)}
            >
              <bdi class="cut">{place.label}</bdi> <small class="note">{place.note}</small>
            </li>
          ))}
          {all.length > found.length && (
            <li role="option" class="note" aria-disabled="true" aria-selected={false}>
              and {numberText(all.length - found.length)} more
            </li>
          )}
        </ul>
        {found.length === 0 && (
          <p role="status">No match. Days are found as 25 Nov or 2026-11-25.</p>
        )}
      </div>
    </div>
  );
}

/** Finds restaurants, and where the text has a day, that day of all or of some of them. */
function usePlaces(text: string): readonly Place[] {
  const { today } = useAccount();
  const { date, others } = findDay(text, today);
  const [named, ofDay] = [useFound(text), useFound(others)];
  if (text.trim() === '') return [];
  const weeks = rangeOfPeriod('last-28', today);
  const places = bestFirst(named, text).map(({ restaurant_id: id, name }): Place => {
    return { address: salesAddress(weeks, [id]), label: name, note: id };
  });
  if (date === undefined) return places;
  if (others === '') {
    const address = salesAddress({ from: date, to: date });
    return [...places, { address, label: longDate(date), note: 'all' }];
  }
  const days = bestFirst(ofDay, others).map(({ restaurant_id: id, name }): Place => {
    return { address: dayAddress(id, date), label: name, note: `${id}, ${shortDate(date)}` };
  });
  return [...places, ...days];
}

/** A number that is typed in full comes before the names that contain it. */
function bestFirst(found: readonly Restaurant[], wanted: string): readonly Restaurant[] {
  const isExact = ({ restaurant_id: id }: Restaurant) => Number(id === wanted.trim());
  return found.toSorted((one, other) => isExact(other) - isExact(one));
}
