import { useLayoutEffect } from 'preact/hooks';
import { nameOf, useAccount } from '../account.js';
import type { DayResponse } from '../api/shapes.js';
import { Facts } from '../components/facts.js';
import { Form } from '../components/form.js';
import { HourChart } from '../components/hour-chart.js';
import { Notice } from '../components/notice.js';
import { Payments } from '../components/payments.js';
import { DateField } from '../components/period-picker.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { Tiles } from '../components/tiles.js';
import { addDays, isDate, longDate, placeOf, shortDate, shortWeekday, timeText } from '../dates.js';
import { hoursText } from '../fields.js';
import { currentRoute, dayAddress, Heading, salesAddress, useRoute } from '../route.js';
import { Show, useLoad, useWhenInFront } from '../use-load.js';
import { compareDays, type Day, loadDay } from './day-data.js';
import { DayTable } from './day-table.js';
import { DayUploads } from './day-uploads.js';
import { storedOf } from './draft.js';

const REFRESH_MS = 60_000;

/** Shows one restaurant's day: pictures, exact figures, missing hours and uploads. */
export function DayView() {
  const { parts } = useRoute();
  const account = useAccount();
  const { timeZone, currency, known, today } = account;
  const [id = '', date = ''] = parts;
  const isKnown = known.has(id) && isDate(date);
  const loaded = useLoad(
    async (signal) => (isKnown ? loadDay(id, date, signal) : undefined),
    [id, date],
    'day',
  );
  useWhenInFront(loaded.refresh, isKnown && date >= addDays(today, -7), REFRESH_MS);
  useArrowKeys();
  if (!isKnown)
    return (
      <>
        <Heading text={nameOf(account, id)} />
        <Notice kind="warn" role="alert">
          {isDate(date)
            ? `Your account may not see restaurant ${id}, or it does not exist. An administrator grants restaurants.`
            : 'There is no such day.'}
        </Notice>
      </>
    );
  const name = nameOf(account, id);
  return (
    <>
      <Heading
        text={name}
        title={`${name}, ${shortDate(date)}`}
        controls={<DayControls id={id} date={date} />}
      >
        {longDate(date)} · restaurant {id} · day of {placeOf(timeZone)} · amounts in {currency}
        {loaded.at !== undefined && ` · as of ${timeText(loaded.at, timeZone)}`}
      </Heading>
      <Show of={loaded} height={1200}>
        {(day) => day && <DayBody day={day} reload={loaded.reload} />}
      </Show>
    </>
  );
}

function DayControls({ id, date }: { id: string; date: string }) {
  const account = useAccount();
  const [last, next] = [addDays(date, -1), addDays(date, 1)];
  const weeks = salesAddress({ from: addDays(date, -27), to: date }, [id]);
  return (
    <nav class="controls" aria-label="Days">
      <a class="button" href={dayAddress(id, last)} title="Previous day">
        ← {shortWeekday(last)}
      </a>
      <Form
        label="Show this day"
        submit={async ({ day = date }) => void (location.hash = dayAddress(id, day))}
      >
        <DateField label="Date" name="day" value={date} />
      </Form>
      <a class="button" href={dayAddress(id, next)} title="Next day">
        {shortWeekday(next)} →
      </a>
      <a class="button" href={weeks} title="The four weeks up to this day">
        Last 4 weeks
      </a>
      {account.count > 1 && (
        <RestaurantChoice
          label="Restaurant"
          value={id}
          choose={(each) => (location.hash = dayAddress(each, date))}
        />
      )}
    </nav>
  );
}

function DayBody({ day: all, reload }: { day: Day; reload: () => void }) {
  const { known, today } = useAccount();
  const { day, before, uploads } = all;
  const compared = compareDays(all, known.get(day.restaurant_id)!);
  return (
    <>
      <StateNotice day={day} today={today} />
      {day.records.length > 0 && (
        <>
          <Tiles compared={compared} />
          <Facts compared={compared} />
          <div class="two">
            <HourChart
              now={shortDate(day.date)}
              before={before.records.length > 0 ? shortDate(before.date) : undefined}
              figuresAt={(hour) => [storedOf(day, hour), storedOf(before, hour)]}
            />
            <Payments totals={day.totals} />
          </div>
        </>
      )}
      <DayTable {...{ day, uploads, reload }} />
      <DayUploads uploads={uploads} />
    </>
  );
}

/** Says what is missing, or why nothing is: red only where somebody must act. */
function StateNotice({ day, today }: { day: DayResponse; today: string }) {
  const { date, records, expected_hours: expected, missing_hours: missing } = day;
  const reason = reasonOf(day);
  if (reason !== undefined) {
    const also = records.length > 0 ? ' What was sent all the same counts in all sums.' : '';
    return <Notice>{reason + also}</Notice>;
  }
  if (missing.length === 0) return null;
  if (date > today) return <Notice>This day is upcoming.</Notice>;
  if (date === today)
    return <Notice>This day is not over: {hoursText(missing)} not sent yet.</Notice>;
  return (
    <Notice kind={records.length === 0 ? 'act' : 'warn'}>
      {records.length === 0
        ? `Nothing was uploaded for this day; ${hoursText(expected)} are expected. `
        : `${missing.length} of ${expected.length} expected hours are missing: ${hoursText(missing)}. `}
      <a href="#/upload">Upload a file</a>
    </Notice>
  );
}

/** Says why nothing is expected of a day. */
function reasonOf({ date, expected_hours: expected, closed, first_day: first }: DayResponse) {
  if (closed)
    return `The restaurant is closed on this day${closed.reason ? ` (${closed.reason})` : ''}.`;
  if (expected.length > 0) return undefined;
  return date < first
    ? `The restaurant's first day is ${shortDate(first)}; nothing is expected before it.`
    : 'By its weekly hours the restaurant is not open on this day.';
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
