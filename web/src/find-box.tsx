import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Restaurant } from './account.js';
import { numberText } from './amounts.js';
import { findDay } from './data/find-day.js';
import { rangeOfPeriod, USUAL_PERIODS } from './data/selection.js';
import { isFound } from './data/sent-days.js';
import { longDate, shortDate } from './dates.js';
import { dayAddress, salesAddress } from './route.js';

const LABEL = 'Find a restaurant or a day';
const MAX_FOUND = 8;

interface FindBoxProps {
  readonly restaurants: readonly Restaurant[];
  readonly today: string;
}

/** A view that was found, and what it is about. */
interface Place {
  readonly address: string;
  readonly label: string;
  readonly note: string;
}

/** Goes to a restaurant, a day, or the day of a restaurant; the key `/` leads to it from anywhere. */
export function FindBox({ restaurants, today }: FindBoxProps) {
  const { text, found, more, at, findsNothing, write, step } = useFinding(restaurants, today);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useSlash(() => field.current?.focus());
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
    else if (by !== undefined && place) step(by);
    else return;
    event.preventDefault();
  };
  return (
    <div class="find">
      <input
        ref={field}
        type="search"
        {...comboboxOf(id, found, at)}
        value={text}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <FoundPlaces {...{ id, found, more, at, open }} />
      {findsNothing && <NothingFound />}
    </div>
  );
}

function NothingFound() {
  return (
    <p class="nothing" role="status">
      Nothing is called like that. Days are found as 25 Nov or 2026-11-25.
    </p>
  );
}

/** Keeps what is looked for, what is found, and which of it is chosen. */
function useFinding(restaurants: readonly Restaurant[], today: string) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const isEmpty = text.trim() === '';
  const all = isEmpty ? [] : findPlaces(text, restaurants, today);
  const found = all.slice(0, MAX_FOUND);
  const write = (next: string): void => {
    setText(next);
    setAt(0);
  };
  const step = (by: number): void => setAt((at + by + found.length) % found.length);
  const more = all.length - found.length;
  return { text, found, more, at, findsNothing: !isEmpty && found.length === 0, write, step };
}

/** Tells who does not see the list that a field has one, and which place of it is chosen. */
function comboboxOf(id: string, found: readonly Place[], at: number) {
  return {
    role: 'combobox',
    list: undefined, // the types want it of every combobox
    placeholder: LABEL,
    'aria-label': LABEL,
    'aria-keyshortcuts': '/',
    'aria-autocomplete': 'list',
    'aria-expanded': found.length > 0,
    'aria-controls': id,
    'aria-activedescendant': found.length > 0 ? `${id}-${at}` : undefined,
  } as const;
}

interface FoundPlacesProps {
  readonly id: string;
  readonly found: readonly Place[];
  /** How many others are found, which are not shown. */
  readonly more: number;
  readonly at: number;
  readonly open: (place: Place) => void;
}

function FoundPlaces({ id, found, more, at, open }: FoundPlacesProps) {
  return (
    <ul id={id} role="listbox" aria-label={LABEL} hidden={found.length === 0}>
      {found.map((place, index) => (
        <li
          key={place.address}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => open(place)}
        >
          <span class="cut">{place.label}</span> <small class="note">{place.note}</small>
        </li>
      ))}
      {more > 0 && (
        <li role="option" class="note" aria-disabled="true" aria-selected={false}>
          and {numberText(more)} more
        </li>
      )}
    </ul>
  );
}

function findPlaces(
  text: string,
  restaurants: readonly Restaurant[],
  today: string,
): readonly Place[] {
  const range = rangeOfPeriod(USUAL_PERIODS.sales, today);
  const named = (wanted: string): readonly Restaurant[] => {
    const found = restaurants.filter((each) => isFound(each, wanted));
    return found.toSorted((one, other) => exactness(other, wanted) - exactness(one, wanted));
  };
  const places = named(text).map(({ restaurant_id: id, name }): Place => {
    return { address: salesAddress(range, [id]), label: name, note: id };
  });
  const { date, others } = findDay(text, today);
  if (date === undefined) return places;
  const ofDay =
    others === ''
      ? [{ address: salesAddress({ from: date, to: date }), label: longDate(date), note: 'all' }]
      : named(others).map(({ restaurant_id: id, name }): Place => {
          return { address: dayAddress(id, date), label: name, note: `${id}, ${shortDate(date)}` };
        });
  return [...places, ...ofDay];
}

/** A number that is typed in full comes before the names that contain it. */
const exactness = ({ restaurant_id: id }: Restaurant, wanted: string): number =>
  Number(id === wanted.trim());

function useSlash(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key, altKey, ctrlKey, metaKey } = event;
      const isTyping = target instanceof Element && target.matches('input, select, textarea');
      if (key !== '/' || altKey || ctrlKey || metaKey || isTyping) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
