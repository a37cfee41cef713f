import { nameOf, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { read, readPages } from '../api/service.js';
import type { DayResponse, DayUpload, UploadsResponse } from '../api/shapes.js';
import { Card, Details, Notice } from '../components/card.js';
import { ChangesTable, overwritesOf, turnoverOf } from '../components/changes-table.js';
import { Form } from '../components/form.js';
import { Heading } from '../components/heading.js';
import { HourChart } from '../components/hour-chart.js';
import { Payments } from '../components/payments.js';
import { DateField } from '../components/period-picker.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { Facts, Tiles } from '../components/tiles.js';
import { compareRestaurants } from '../data/compare.js';
import { refreshMs } from '../data/periods.js';
import { loadTotals } from '../data/totals.js';
import {
  addDays,
  isDate,
  longDate,
  momentText,
  placeOf,
  shortDate,
  shortWeekday,
} from '../dates.js';
import { hoursText } from '../fields.js';
import { currentRoute, dayAddress, salesAddress, useRoute } from '../route.js';
import { useEvents } from '../use-events.js';
import { Show, useLoad } from '../use-load.js';
import { DayTable } from './day-table.js';

/** Shows one restaurant's day: pictures, exact figures, missing hours and uploads. */
export function DayView() {
  const { parts } = useRoute();
  const account = useAccount();
  const { timeZone, currency, known, today } = account;
  const [id = '', date = ''] = parts;
  const isKnown = known.has(id) && isDate(date);
  const loaded = useLoad(
    isKnown ? (signal) => loadDay(id, date, signal) : undefined,
    [id, date],
    'day',
    refreshMs({ from: date, to: date }, today),
  );
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
        of={loaded}
        controls={<DayControls id={id} date={date} />}
      >
        {longDate(date)} · restaurant {id} · day of {placeOf(timeZone)} · amounts in {currency}
      </Heading>
      <Show of={loaded} height={1200}>
        {(day) => <DayBody day={day} reload={loaded.reload} />}
      </Show>
    </>
  );
}

function DayControls({ id, date }: { id: string; date: string }) {
  const account = useAccount();
  const [last, next] = [addDays(date, -1), addDays(date, 1)];
  const weeks = salesAddress({ from: addDays(date, -27), to: date }, [id]);
  useEvents(['keydown'], ({ key, target, altKey, ctrlKey, metaKey }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const isUsed =
      target instanceof Element &&
      target.closest('input, select, summary, .scroll, dialog, [popover]');
    const isTyping = document.querySelector('.edit'); // who types stays on the day
    if (step === undefined || altKey || ctrlKey || metaKey || isUsed || isTyping) return;
    const [, shown = date] = currentRoute().parts; // the address is ahead of the view
    location.hash = dayAddress(id, addDays(shown, step));
  });
  return (
    <nav class="controls" aria-label="Days">
      <a class="button" href={dayAddress(id, last)} title="Previous day">
        ← {shortWeekday(last)}
      </a>
      <a class="button" href={dayAddress(id, next)} title="Next day">
        {shortWeekday(next)} →
      </a>
      <Form
        label="Show this day"
        submit={({ day = date }) => {
          location.hash = dayAddress(id, day);
        }}
      >
        <DateField label="Date" name="day" value={date} />
      </Form>
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
  const { day, totals, uploads } = all;
  const compared = compareRestaurants(known, totals, totals.before);
  return (
    <>
      <StateNotice day={day} today={today} />
      {day.records.length > 0 && (
        <>
          <Tiles compared={compared} />
          <Facts compared={compared} />
          <div class="two">
            <HourChart now={totals} before={compared.sentBefore > 0 ? totals.before : undefined} />
            <Payments totals={day.totals} />
          </div>
        </>
      )}
      <DayTable {...{ day, reload }} />
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

type Day = Awaited<ReturnType<typeof loadDay>>;

/** Loads a day, the same weekday of the week before, and all uploads of the day, newest first. */
async function loadDay(id: string, date: string, signal: AbortSignal) {
  const query = { restaurant_id: id, date };
  const [range, before] = [date, addDays(date, -7)].map((on) => ({ from: on, to: on }));
  const [day, totals, pages] = await Promise.all([
    read<DayResponse>('/api/v1/sales/daily', query, { signal }),
    loadTotals({ range: range!, before, ids: [id], by: ['restaurant', 'hour'] }, signal),
    readPages<UploadsResponse>('/api/v1/sales/uploads', query, { signal }),
  ]);
  return { day, totals, uploads: pages.flatMap(({ uploads }) => uploads) };
}

function DayUploads({ uploads }: { uploads: readonly DayUpload[] }) {
  const { timeZone } = useAccount();
  if (uploads.length === 0) return null;
  return (
    <Card title="Uploads" note={`newest first, times of ${placeOf(timeZone)}`}>
      <div class="body">
        {uploads.map((upload) => (
          <UploadEntry key={upload.id} upload={upload} />
        ))}
      </div>
    </Card>
  );
}

function UploadEntry({ upload }: { upload: DayUpload }) {
  const { timeZone } = useAccount();
  const overwrites = overwritesOf(upload.changes);
  const heading = (
    <>
      {momentText(upload.uploaded_at, timeZone)}, <b>{upload.username}</b>
      {upload.source && ` (${upload.source})`}: sent {upload.processed}, {effectOf(upload)}
    </>
  );
  if (overwrites.length === 0) return <p>{heading}</p>;
  return (
    <Details summary={heading}>
      <ChangesTable changes={overwrites} label={`Changes of upload ${upload.id}`} />
    </Details>
  );
}

/** Writes `changed 20 hours: turnover 0.00 → 6,375.39`. */
function effectOf({ changes }: DayUpload): string {
  if (changes.length === 0) return 'changed nothing';
  const { before, after } = turnoverOf(changes);
  const isNew = changes.every((change) => change.before === null);
  const turnover = isNew ? amountText(after) : `${amountText(before)} → ${amountText(after)}`;
  return `${isNew ? 'added' : 'changed'} ${countText(changes.length, 'hour')}: turnover ${turnover}`;
}
