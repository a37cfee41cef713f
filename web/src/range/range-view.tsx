import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { addDays, daysOf, isDate, today } from '../dates.js';
import { Picture } from '../picture/picture.js';
import { RestaurantsContext, type Restaurant } from '../restaurants.js';
import { Heading } from '../heading.js';
import { replaceQuery } from '../route.js';
import { useLoad } from '../use-load.js';
import { loadCompared, loadTotals, type Range } from './range-data.js';
import { RangeDownload } from './range-download.js';
import { RangeTable } from './range-table.js';

/** More lines could not be told apart. */
const MAX_LINES = 6;
const MAX_RANGE_DAYS = 366;

/** Shows turnover by day; the range and the restaurants are in the address. */
export function RangeView({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const restaurants = useContext(RestaurantsContext);
  const range = rangeOf(query);
  const ids = (query.get('restaurants') ?? '').split(',').map(Number).filter(Boolean).slice(0, 100);
  const chosen = restaurants.filter(({ restaurant_id }) => ids.includes(restaurant_id));
  const dayCount = daysOf(range.from, range.to).length;
  const isValid = dayCount > 0 && dayCount <= MAX_RANGE_DAYS;
  if (ids.length > 0 && restaurants.length === 0) return <p role="status">Loading…</p>;
  return (
    <>
      <Heading text="Range" />
      <RangeControls range={range} ids={ids} restaurants={restaurants} />
      {isValid ? (
        <RangeBody key={`${range.from} ${range.to} ${ids.join()}`} range={range} chosen={chosen} />
      ) : (
        <p role="alert">Choose a first and a last day, at most {MAX_RANGE_DAYS} days.</p>
      )}
      {isValid && <RangeDownload range={range} restaurants={chosen.length > 0 ? chosen : restaurants} />}
    </>
  );
}

function rangeOf(query: URLSearchParams): Range {
  const [from, to] = [query.get('from') ?? undefined, query.get('to') ?? undefined];
  const last = isDate(to) ? to : addDays(today(), -1);
  return { from: isDate(from) ? from : addDays(last, -27), to: last };
}

interface ControlsProps {
  readonly range: Range;
  readonly ids: readonly number[];
  readonly restaurants: readonly Restaurant[];
}

function RangeControls({ range, ids, restaurants }: ControlsProps): JSX.Element {
  const show = (changes: Record<string, string>): void =>
    replaceQuery('range', { ...range, restaurants: ids.join(), ...changes });
  const dateField = (name: 'from' | 'to', label: string): JSX.Element => (
    <label>
      {label}{' '}
      <input type="date" value={range[name]} onChange={({ currentTarget }) => show({ [name]: currentTarget.value })} />
    </label>
  );
  return (
    <div class="controls no-print">
      {dateField('from', 'First day')}
      {dateField('to', 'Last day')}
      <label>
        Restaurants (none chosen: all){' '}
        <RestaurantSelect ids={ids} restaurants={restaurants} choose={(chosen) => show({ restaurants: chosen })} />
      </label>
    </div>
  );
}

interface SelectProps extends Omit<ControlsProps, 'range'> {
  readonly choose: (ids: string) => void;
}

function RestaurantSelect({ ids, restaurants, choose }: SelectProps): JSX.Element {
  return (
    <select
      multiple
      size={4}
      onChange={({ currentTarget }) => choose([...currentTarget.selectedOptions].map(({ value }) => value).join())}
    >
      {restaurants.map(({ restaurant_id, name }) => (
        <option key={restaurant_id} value={restaurant_id} selected={ids.includes(restaurant_id)}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface BodyProps {
  readonly range: Range;
  readonly chosen: readonly Restaurant[];
}

function RangeBody({ range, chosen }: BodyProps): JSX.Element {
  const { value, error } = useLoad(() => load(range, chosen), []);
  if (error) return <p role="alert">{error}</p>;
  if (!value) return <p role="status">Loading…</p>;
  return (
    <>
      <Picture kind="days" title="Turnover by day" values={value.points} />
      {value.names.length > 1 && (
        <ul class="legend">
          {value.names.map((name, index) => (
            <li class={`series-${index}`}>{name}</li>
          ))}
        </ul>
      )}
      <RangeTable days={value.days} />
    </>
  );
}

/** The sum of the restaurants, and a line for each of a few. */
async function load(range: Range, chosen: readonly Restaurant[]) {
  const days = await loadCompared(
    chosen.map(({ restaurant_id }) => restaurant_id),
    range,
  );
  const single = chosen.length > 1 && chosen.length <= MAX_LINES ? chosen : [];
  const lines = await Promise.all(
    single.map(async ({ restaurant_id, name }) => ({ name, days: await loadTotals([restaurant_id], range) })),
  );
  const drawn = lines.length > 0 ? lines : [{ name: 'Turnover', days }];
  const names = drawn.map(({ name }) => name);
  const points = drawn.flatMap(({ name, days: line }) =>
    line.map(({ date, totals }) => ({ label: date, value: Number(totals['gto']), series: name })),
  );
  return { days, points, names };
}
