import { useLayoutEffect } from 'preact/hooks';
import { nameOf, RestaurantOptions, useAccount } from '../account.js';
import { KeyFigures } from '../charts.js';
import { addDays, isDate, longDate, weekdayName } from '../dates.js';
import { currentRoute, dayAddress, Heading, rangeAddress } from '../route.js';
import { Progress, useLoad } from '../use-load.js';
import { compareDays, loadDays, type Day } from './day-data.js';
import { DayPictures, DayTable } from './day-figures.js';
import { DayUploads } from './day-uploads.js';

interface DayProps {
  readonly id: string;
  readonly date: string;
}

/** Shows one restaurant's day: pictures, exact figures, missing hours and uploads. */
export function DayView({ id, date }: DayProps) {
  const account = useAccount();
  const loaded = useLoad(() => loadDays(id, date), []);
  useArrowKeys();
  return (
    <>
      <Heading text={nameOf(account, id)} />
      <p>
        {longDate(date)}.{' '}
        <a class="no-print" href={rangeAddress({ from: addDays(date, -27), to: date }, [id])}>
          Four weeks up to this day
        </a>
      </p>
      <DayControls id={id} date={date} />
      <Progress of={loaded} />
      {loaded.value && <DayBody id={id} days={loaded.value} />}
    </>
  );
}

function DayControls({ id, date }: DayProps) {
  const open = (restaurantId: string, day: string): void => {
    if (isDate(day)) location.hash = dayAddress(restaurantId, day);
  };
  return (
    <nav class="controls" aria-label="Days">
      <a href={dayAddress(id, addDays(date, -1))}>← Previous day</a>
      <a href={dayAddress(id, addDays(date, 1))}>Next day →</a>
      <input
        type="date"
        aria-label="Date"
        value={date}
        onChange={({ currentTarget }) => open(id, currentTarget.value)}
      />
      <select
        aria-label="Restaurant"
        onChange={({ currentTarget }) => open(currentTarget.value, date)}
      >
        <RestaurantOptions chosen={[id]} />
      </select>
    </nav>
  );
}

function DayBody({ id, days: [day, before] }: { id: string; days: readonly [Day, Day] }) {
  const { date, missing_hours: missing, records } = day;
  const against = `${weekdayName(date)} a week before`;
  if (records.length === 0)
    return (
      <p class="missing">
        Nothing was uploaded for this day. <a href="#/upload">Upload a file</a>
      </p>
    );
  return (
    <>
      {missing.length > 0 && <p class="missing">Missing hours: {missing.join(', ')}.</p>}
      <KeyFigures of={compareDays(day, before)} against={against} />
      <DayPictures day={day} before={before} />
      <DayUploads id={id} date={date} />
      <DayTable day={day} />
    </>
  );
}

/**
 * Opens the day before or after on an arrow key. It takes the day from the address, which is ahead
 * of the view. A layout effect loses no key between two days.
 */
function useArrowKeys(): void {
  useLayoutEffect(() => {
    const onKey = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void => {
      const days = { ArrowLeft: -1, ArrowRight: 1 }[key];
      const isUsed = target instanceof Element && target.matches('input, select, .scroll');
      if (days === undefined || altKey || ctrlKey || metaKey || isUsed) return;
      const [id = '', date = ''] = currentRoute().parts;
      location.hash = dayAddress(id, addDays(date, days));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
