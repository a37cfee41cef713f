import { useLayoutEffect, useState } from 'preact/hooks';
import { nameOf, useAccount } from '../account.js';
import { Menu } from '../components/menu.js';
import { Notice } from '../components/notice.js';
import { Payments } from '../components/payments.js';
import { DateField } from '../components/period-picker.js';
import { RestaurantMenu } from '../components/restaurant-picker.js';
import { Tiles } from '../components/tiles.js';
import { hoursText } from '../data/sent-days.js';
import { addDays, isDate, longDate, placeOf, shortDate, timeText } from '../dates.js';
import { currentRoute, dayAddress, Heading, salesAddress } from '../route.js';
import { AlikeNote } from '../sales/alike-note.js';
import { tilesOf } from '../sales/sales-tiles.js';
import { Progress, useLoad, useWhenInFront } from '../use-load.js';
import { compareDays, type Day, loadDays, loadUploads, type Upload } from './day-data.js';
import { DayHours } from './day-hours.js';
import { DayTable } from './day-table.js';
import { DayUploads } from './day-uploads.js';

const REFRESH_MS = 60_000;

interface DayProps {
  readonly id: string;
  readonly date: string;
}

/** Shows one restaurant's day: pictures, exact figures, missing hours and uploads. */
export function DayView({ id, date }: DayProps) {
  const account = useAccount();
  const { timeZone, currency, known, today } = account;
  useArrowKeys();
  const isKnown = known.has(id);
  const loaded = useLoad(async () => {
    if (!isKnown) return undefined;
    const [days, uploads] = await Promise.all([loadDays(id, date), loadUploads(id, date)]);
    return { days, uploads };
  }, []);
  useWhenInFront(loaded.refresh, isKnown && date >= addDays(today, -7), REFRESH_MS);
  return (
    <>
      <Heading text={nameOf(account, id)} controls={<DayControls id={id} date={date} />}>
        {longDate(date)} · restaurant {id} · day of {placeOf(timeZone)} · amounts in {currency}
        {loaded.at !== undefined && isKnown && ` · as of ${timeText(loaded.at, timeZone)}`}
      </Heading>
      {!isKnown && (
        <Notice kind="warn" role="alert">
          Your account may not see restaurant {id}, or it does not exist. An administrator grants
          restaurants.
        </Notice>
      )}
      {isKnown && <Progress of={loaded} />}
      {loaded.value && <DayBody id={id} {...loaded.value} reload={loaded.reload} />}
    </>
  );
}

function DayControls({ id, date }: DayProps) {
  const account = useAccount();
  const [day, setDay] = useState(date);
  return (
    <nav class="controls" aria-label="Days">
      <a class="button" href={dayAddress(id, addDays(date, -1))} title="Previous day">
        ← {shortDate(addDays(date, -1)).slice(0, 3)}
      </a>
      <Menu label="Day" value={shortDate(date)}>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isDate(day)) location.hash = dayAddress(id, day);
          }}
        >
          <DateField label="Date" value={day} set={setDay} />
          <button type="submit">Show this day</button>
        </form>
      </Menu>
      <a class="button" href={dayAddress(id, addDays(date, 1))} title="Next day">
        {shortDate(addDays(date, 1)).slice(0, 3)} →
      </a>
      <a
        class="button"
        href={salesAddress({ from: addDays(date, -27), to: date }, [id])}
        title="The four weeks up to this day"
      >
        Four weeks
      </a>
      {account.restaurants.length > 1 && (
        <RestaurantMenu
          restaurants={account.restaurants}
          name={nameOf(account, id)}
          addressOf={(each) => dayAddress(each, date)}
        />
      )}
    </nav>
  );
}

interface BodyProps {
  readonly id: string;
  readonly days: readonly [day: Day, before: Day];
  readonly uploads: readonly Upload[];
  readonly reload: () => void;
}

function DayBody({ id, days: [day, before], uploads, reload }: BodyProps) {
  const account = useAccount();
  const compared = compareDays(day, before, account.known.get(id)!);
  const [range, past] = [
    { from: day.date, to: day.date },
    { from: before.date, to: before.date },
  ];
  return (
    <>
      <StateNotice day={day} today={account.today} />
      {day.records.length > 0 && (
        <>
          <Tiles tiles={tilesOf(compared)} />
          <AlikeNote compared={compared} range={range} before={past} />
          <div class="two">
            <DayHours day={day} before={before} />
            <Payments totals={day.totals} />
          </div>
        </>
      )}
      <DayTable day={day} uploads={uploads} reload={reload} />
      <DayUploads uploads={uploads} />
    </>
  );
}

/** Says what is missing, or why nothing is: red only where somebody must act. */
function StateNotice({ day, today }: { day: Day; today: string }) {
  const { date, records, expected_hours: expected, missing_hours: missing } = day;
  const upload = <a href="#/upload">Upload a file</a>;
  const reason = reasonOf(day);
  if (reason !== undefined) return <Notice>{reason}</Notice>;
  if (missing.length === 0) return null;
  if (date > today) return <Notice>This day is to come.</Notice>;
  if (date === today)
    return <Notice>This day is not over: {hoursText(missing)} not sent yet.</Notice>;
  if (records.length === 0)
    return (
      <Notice kind="act">
        Nothing was uploaded for this day; {hoursText(expected)} are expected. {upload}
      </Notice>
    );
  return (
    <Notice kind="warn">
      {missing.length} of {expected.length} expected hours are missing: {hoursText(missing)}.{' '}
      {upload}
    </Notice>
  );
}

/** Says why nothing is expected of a day. */
function reasonOf({ date, records, expected_hours: expected, closed, first_day: first }: Day) {
  const also = records.length > 0 ? ' What was sent all the same counts in all sums.' : '';
  if (closed) {
    const reason = closed.reason ? ` (${closed.reason})` : '';
    return `The restaurant is closed on this day${reason}.${also}`;
  }
  if (expected.length > 0) return undefined;
  if (date < first)
    return `The restaurant's first day is ${shortDate(first)}; nothing is expected before it.${also}`;
  return `By its weekly hours the restaurant is not open on this day.${also}`;
}

/**
 * Opens the day before or after on an arrow key. It takes the day from the address, which is ahead
 * of the view. A layout effect loses no key between two days.
 */
function useArrowKeys(): void {
  useLayoutEffect(() => {
    const onKey = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void => {
      const days = { ArrowLeft: -1, ArrowRight: 1 }[key];
      const isUsed =
        target instanceof Element && target.matches('input, select, summary, .scroll, .scroll *');
      if (days === undefined || altKey || ctrlKey || metaKey || isUsed) return;
      if (document.querySelector('.edit')) return; // who types stays on the day
      const [id = '', date = ''] = currentRoute().parts;
      location.hash = dayAddress(id, addDays(date, days));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
