import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { addDays, longDate } from '../dates.js';
import { Heading } from '../heading.js';
import { useRestaurantName } from '../restaurants.js';
import { currentRoute, dayAddress } from '../route.js';
import { useLoad } from '../use-load.js';
import { loadDay, type Day } from './day-data.js';
import { DayPictures } from './day-pictures.js';
import { DayTable } from './day-table.js';
import { DayUploads } from './day-uploads.js';

interface DayProps {
  readonly restaurantId: number;
  readonly date: string;
}

/** Shows one restaurant's day: pictures, exact figures, missing hours and uploads. */
export function DayView({ restaurantId, date }: DayProps): JSX.Element {
  const name = useRestaurantName(restaurantId);
  const { value: day, error } = useLoad(() => loadDay(restaurantId, date), []);
  useArrowKeys();
  return (
    <>
      <Heading text={name} />
      <nav class="days" aria-label="Days">
        <a href={dayAddress(restaurantId, addDays(date, -1))}>← Previous day</a>
        <strong>{longDate(date)}</strong>
        <a href={dayAddress(restaurantId, addDays(date, 1))}>Next day →</a>
      </nav>
      {error && <p role="alert">{error}</p>}
      {day && <DayBody day={day} />}
      {day && <DayUploads restaurantId={restaurantId} date={date} />}
    </>
  );
}

function DayBody({ day }: { readonly day: Day }): JSX.Element {
  const { missing_hours: missing, records } = day;
  if (records.length === 0) return <p class="missing">Nothing was uploaded for this day.</p>;
  return (
    <>
      <p class={missing.length > 0 ? 'missing' : ''}>
        {missing.length > 0 ? `Missing hours: ${missing.join(', ')}.` : 'All 24 hours are there.'}
      </p>
      <DayPictures day={day} />
      <DayTable day={day} />
    </>
  );
}

/**
 * Reads the day from the address, which is ahead of the view when a key is pressed again before it is drawn. A layout
 * effect, as each day is a view of its own and no key may come between the listeners of two.
 */
function useArrowKeys(): void {
  useLayoutEffect(() => {
    const onKey = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void => {
      const days = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (days === undefined || altKey || ctrlKey || metaKey || isScrolledByKeys(target)) return;
      const [restaurantId = '', date = ''] = currentRoute().parts;
      location.hash = dayAddress(restaurantId, addDays(date, days));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isScrolledByKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || (target instanceof HTMLElement && target.classList.contains('scroll'));
}
