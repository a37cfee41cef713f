import { RestaurantOptions, useAccount, type Restaurant } from '../account.js';
import { countText } from '../amounts.js';
import { Chart, KeyFigures } from '../charts.js';
import { addDays, dayAndMonth, daysOf, isDate, shortDate, type DateRange } from '../dates.js';
import { dayAddress, Heading, rangeAddress, replaceQuery, useRoute } from '../route.js';
import { Progress, useLoad } from '../use-load.js';
import { loadRange } from './range-data.js';
import { RangeTable, sumOfLines } from './range-table.js';

const MAX_RANGE_DAYS = 366;
const MAX_CHOSEN = 100;

/** Shows what was sold in a range of days; the range and the restaurants are in the address. */
export function RangeView() {
  const { query } = useRoute();
  const { restaurants, today } = useAccount();
  const [first, last] = [query.get('from'), query.get('to')];
  const to = isDate(last) ? last : addDays(today, -1);
  const from = isDate(first) ? first : addDays(to, -27);
  const asked = (query.get('restaurants') ?? '').split(',');
  const found = restaurants.filter(({ restaurant_id: id }) => asked.includes(id));
  const chosen = found.slice(0, MAX_CHOSEN);
  const range = { from, to };
  const dayCount = daysOf(from, to).length;
  const names = chosen.map(({ name }) => name).join(', ');
  return (
    <>
      <Heading text="Sales" />
      <p class="note">
        {from !== to && `${shortDate(from)} – `}
        {shortDate(to)}: {names || countText(restaurants.length, 'restaurant')}
      </p>
      <RangeControls range={range} chosen={chosen} />
      {dayCount > 0 && dayCount <= MAX_RANGE_DAYS ? (
        <RangeBody key={[from, to, idsOf(chosen)].join()} range={range} chosen={chosen} />
      ) : (
        <p role="alert">Choose a first and a last day, at most {MAX_RANGE_DAYS} days.</p>
      )}
    </>
  );
}

interface RangeProps {
  readonly range: DateRange;
  /** Empty if all restaurants are shown. */
  readonly chosen: readonly Restaurant[];
}

const idsOf = (chosen: readonly Restaurant[]) => chosen.map(({ restaurant_id: id }) => id);

function RangeControls({ range, chosen }: RangeProps) {
  const ids = idsOf(chosen);
  const show = (changes: Record<string, string>): void =>
    replaceQuery('range', { ...range, restaurants: ids.join(), ...changes });
  const date = (name: 'from' | 'to', label: string) => (
    <label>
      {label}
      <input
        type="date"
        value={range[name]}
        onChange={(event) => show({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="controls">
      {date('from', 'First day')}
      {date('to', 'Last day')}
      <details>
        <summary>Restaurants: {ids.length || 'all'}</summary>
        <select
          multiple
          aria-label="Restaurants, none for all"
          onChange={({ currentTarget: { selectedOptions } }) =>
            show({ restaurants: [...selectedOptions].map(({ value }) => value).join() })
          }
        >
          <RestaurantOptions chosen={ids} />
        </select>
      </details>
    </div>
  );
}

function RangeBody({ range, chosen }: RangeProps) {
  const { restaurants } = useAccount();
  const ids = idsOf(chosen);
  const about = chosen.length > 0 ? chosen : restaurants;
  const loaded = useLoad(() => loadRange({ ...range, ids, count: about.length }), []);
  if (!loaded.value) return <Progress of={loaded} />;
  const { days, restaurants: rows } = loaded.value;
  const [only] = about.length === 1 ? about : [];
  const byDay = days.map((day) => {
    const { date } = day.now;
    const allOfDay = rangeAddress({ from: date, to: date }, ids);
    const address = only ? dayAddress(only.restaurant_id, date) : allOfDay;
    return { ...day, keys: [date], text: shortDate(date), address };
  });
  const byRestaurant = rows.map((row) => {
    const { restaurant_id: id, name } = row.now;
    const address = days.length === 1 ? dayAddress(id, range.from) : rangeAddress(range, [id]);
    return { ...row, keys: [id, name], text: name, address };
  });
  const weeks = Math.ceil(days.length / 7);
  const against = weeks === 1 ? 'the week before' : `the ${weeks} weeks before`;
  const file = `sales-${range.from}-${range.to}`;
  return (
    <>
      <KeyFigures of={sumOfLines(byRestaurant)} against={against} />
      {days.length > 1 && (
        <Chart
          title="Turnover by day"
          labels={days.map(({ now }) => dayAndMonth(now.date))}
          values={days.map(({ now }) => Number(now.totals.gto))}
          before={days.map(({ before }) => Number(before.totals.gto))}
        />
      )}
      {rows.length > 1 && (
        <RangeTable by="restaurant" lines={byRestaurant} file={file} against={against} />
      )}
      <RangeTable by="day" lines={byDay} file={file} against="the same day a week before" />
    </>
  );
}
