import type { FirstDay } from '../../../src/sales/files/first-day.js';
import { nameOf, useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { figureColumn } from '../components/columns.js';
import { Table } from '../components/table.js';
import { isDate, shortDate } from '../dates.js';
import { hourText } from '../fields.js';

type Hour = FirstDay['hours'][number];

/** The first day of a file as it would be uploaded: hours down, figures across, totals below. */
export function FirstDayTable({ first }: { first: FirstDay }) {
  const { restaurant, date, days, hours, fields, totals } = first;
  const account = useAccount();
  const figures = fields.map((field) => figureColumn<Hour>(field, (hour) => hour.figures));
  return (
    <>
      <h3>
        {account.known.has(restaurant) ? nameOf(account, restaurant) : restaurant},{' '}
        {isDate(date) ? shortDate(date) : date}
        {days > 1 && <small class="note"> the first of {countText(days, 'day')}</small>}
      </h3>
      <Table
        label="The first day of the file"
        columns={[{ label: 'Hour', value: ({ hour }) => hourText(hour) }, ...figures]}
        rows={hours}
        keyOf={({ hour }) => String(hour)}
        total={{ row: { hour: 0, figures: totals }, without: [] }}
      />
    </>
  );
}
