import { HOURS } from '../../../src/calendar/hour-set.js';
import { compactText } from '../amounts.js';
import { weekdayOf } from '../dates.js';

export interface HeatCell {
  readonly weekday: number;
  readonly hour: number;
  /** What the colour shows; undefined where nothing was sent. */
  readonly value: number | undefined;
  readonly text: string;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
/** The strongest colour still leaves the number on it readable. */
const MAX_SHADE = 46;

/** Shows weekdays by hours as a table; the stronger the colour, the higher is the number on it. */
export function HeatMap({ label, cells }: { label: string; cells: readonly HeatCell[] }) {
  const highest = Math.max(1, ...cells.map(({ value = 0 }) => value));
  const at = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday) => (
            <tr key={weekday}>
              <th scope="row">{weekdayOf(weekday)}</th>
              {HOURS.map((hour) => {
                const { value, text = 'nothing was sent' } = at.get(`${weekday} ${hour}`) ?? {};
                const shade = `${Math.round(((value ?? 0) / highest) * MAX_SHADE)}%`;
                return (
                  <td key={hour} title={text} style={{ '--shade': shade }}>
                    {value === undefined ? '' : compactText(Math.round(value))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
