import { numberText } from '../amounts.js';
import type { Sums } from '../api/shapes.js';
import { MEASURES, turnoverChange } from '../data/measures.js';
import { labelOf, PAYMENTS } from '../fields.js';
import { type Column, figureColumn } from './columns.js';
import { Change } from './tiles.js';

/** What was sold in a line of a table, and at the same place of an earlier period. */
export interface SalesRow<Line extends Sums = Sums> {
  readonly now: Line;
  readonly before: Line | undefined;
}

interface Options<Row> {
  readonly hasBefore: boolean;
  /** Why the change of a row is not like for like; undefined if it is. */
  readonly unlike: (row: Row) => string | undefined;
  /** Whether the time of a row is over; of today, hours may still come. */
  readonly isOver: (row: Row) => boolean;
}

/** The columns of what was sold: for the screen, and with all figures for files. */
export function salesColumns<Row extends SalesRow>(options: Options<Row>): Column<Row>[] {
  const [turnover, ...others] = MEASURES.map((measure): Column<Row> => {
    const { label, rateOf, value, ...rest } = measure;
    return { ...rest, label: rateOf ? `${label} %` : label, value: ({ now }) => value(now.totals) };
  });
  const inFile = (['discount', 'svc', 'gst', ...PAYMENTS] as const).map((field) =>
    figureColumn<Row>(field, ({ now }) => now.totals, {
      label: `${labelOf(field)} amount`,
      only: 'file',
    }),
  );
  return [
    turnover!,
    ...(options.hasBefore ? beforeColumns(options.unlike) : []),
    ...others,
    hoursColumn(options.isOver),
    { label: 'Hours missing', kind: 'count', only: 'file', value: ({ now }) => now.missing_hours },
    ...inFile,
  ];
}

const beforeColumns = <Row extends SalesRow>(unlike: Options<Row>['unlike']): Column<Row>[] => [
  {
    label: 'Before',
    title: 'Turnover at the same place of the earlier period',
    kind: 'amount',
    value: ({ before }) => before?.totals.gto,
  },
  {
    label: 'Change',
    title: 'Change of the turnover; in grey, and sorted last, where it is not like for like',
    kind: 'percent',
    value: (row) => (unlike(row) === undefined ? turnoverChange(row.now, row.before) : undefined),
    show: (row) => <Change percent={turnoverChange(row.now, row.before)} unlike={unlike(row)} />,
  },
];

const hoursColumn = <Row extends SalesRow>(isOver: Options<Row>['isOver']): Column<Row> => ({
  label: 'Hours sent',
  title: 'Hours that were sent, or that are missing; sorted by those that are missing',
  kind: 'count',
  value: ({ now }) => now.hours,
  sortValue: ({ now }) => -Number(now.missing_hours),
  show: (row) => {
    const { hours, expected_hours: expected, missing_hours: missing } = row.now;
    if (Number(missing) === 0) return Number(hours) === 0 ? 'closed' : `${numberText(hours)} sent`;
    const share = `${numberText(missing)} of ${numberText(expected)}`;
    return isOver(row) ? <span class="chip warn">{share} missing</span> : `${share} not sent yet`;
  },
});
