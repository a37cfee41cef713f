import { HourChart } from '../components/hour-chart.js';
import { shortDate } from '../dates.js';
import { HOURS } from '../fields.js';
import type { Day } from './day-data.js';
import { storedOf } from './draft.js';

/** Draws the hours of a day beside those of the week before. */
export function DayHours({ day, before }: { day: Day; before: Day }) {
  const hours = HOURS.map((hour) => {
    return { hour, now: storedOf(day, hour), before: storedOf(before, hour) };
  });
  const hasBefore = before.records.length > 0;
  return (
    <HourChart
      now={shortDate(day.date)}
      before={hasBefore ? shortDate(before.date) : undefined}
      hours={hours}
    />
  );
}
