import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import type { Comparison, Period } from '../data/selection.js';
import { rangeOfPeriod } from '../data/selection.js';
import type { DateRange } from '../dates.js';
import { Heading } from '../route.js';
import { SmallLine } from './bars.js';
import { Card } from './card.js';
import { ChangesTable } from './changes-table.js';
import { Choices, Switch } from './choices.js';
import type { Column } from './columns.js';
import { Dialog } from './dialog.js';
import { ExportButtons } from './export-buttons.js';
import { HeatMap } from './heat-map.js';
import { HourChart } from './hour-chart.js';
import { Notice } from './notice.js';
import { Payments } from './payments.js';
import { ComparisonPicker, PeriodPicker } from './period-picker.js';
import { RestaurantMenu, RestaurantPicker } from './restaurant-picker.js';
import { Search } from './search.js';
import { Table } from './table.js';
import { type Tile, Tiles } from './tiles.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly amount: string;
}

const ROWS: readonly Row[] = Array.from({ length: 2000 }, (_, index) => ({
  id: String(index + 1),
  name: index === 7 ? 'W'.repeat(200) : `Restaurant ${index + 1}`,
  amount: `${(index * 7919) % 100_003}.${index % 10}`,
}));

const COLUMNS: readonly Column<Row>[] = [
  { label: 'Restaurant', value: ({ name }) => name },
  { label: 'Turnover', kind: 'amount', value: ({ amount }) => amount },
];

const SHAPE = [
  2, 0, 3, 0, 2, 4, 6, 11, 17, 22, 34, 71, 92, 66, 30, 17, 22, 45, 80, 97, 70, 37, 13, 6,
];

/** Shows every component of this folder with figures that are made up, for who works on the page. */
export function Gallery() {
  return (
    <>
      <Heading text="Components">
        The parts that the views are made of; every figure here is made up
      </Heading>
      <Controls />
      <Notice kind="act">Somebody must act: this is what red is for.</Notice>
      <Notice kind="warn" actions={<button type="button">Look</button>}>
        Somebody should look at this.
      </Notice>
      <Notice kind="good">All is well.</Notice>
      <Notice>A sentence that informs.</Notice>
      <Tiles tiles={TILES} />
      <Charts />
      <TableCard />
      <Card title="Changes" note={<SmallLine label="Six weeks" values={[4, 5, 3, 6, 7, 6]} />}>
        <ChangesTable label="Changes" changes={CHANGES} />
      </Card>
    </>
  );
}

function Controls() {
  const { today, restaurants } = useAccount();
  const [period, setPeriod] = useState<Period | DateRange>('yesterday');
  const [comparison, setComparison] = useState<Comparison>('weeks');
  const [ids, setIds] = useState<readonly string[]>([]);
  const [isOn, setOn] = useState(true);
  const [choice, setChoice] = useState<'one' | 'two'>('one');
  const [isOpen, setOpen] = useState(false);
  const named = typeof period === 'string' ? period : undefined;
  const range = typeof period === 'string' ? rangeOfPeriod(period, today) : period;
  return (
    <div class="controls">
      <PeriodPicker today={today} range={range} period={named} choose={setPeriod} />
      <ComparisonPicker range={range} comparison={comparison} choose={setComparison} />
      <RestaurantPicker restaurants={restaurants} ids={ids} choose={setIds} />
      <RestaurantMenu restaurants={restaurants} name="of one" addressOf={() => '#/components'} />
      <Switch label="A switch" isOn={isOn} set={setOn} />
      <Choices label="Choices" value={choice} options={CHOICES} choose={setChoice} />
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Open a dialog
      </button>
      <button type="button" disabled>
        Disabled
      </button>
      {isOpen && (
        <Dialog title="A dialog" close={() => setOpen(false)}>
          <p>Escape or the cross closes it.</p>
        </Dialog>
      )}
    </div>
  );
}

function Charts() {
  return (
    <>
      <div class="two">
        <HourChart now="Wed 25 Nov 2026" before="Wed 18 Nov 2026" hours={HOUR_FIGURES} />
        <Payments totals={PAID} />
      </div>
      <Card title="Heat map">
        <HeatMap label="Heat map" cells={HEAT} />
      </Card>
    </>
  );
}

function TableCard() {
  const [text, setText] = useState('');
  const rows = ROWS.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <Card
      title="Table"
      note={`${rows.length} rows, of which those that are seen are rendered`}
      actions={
        <>
          <Search label="Name" value={text} search={setText} />
          <ExportButtons name="components" columns={COLUMNS} rows={rows} />
        </>
      }
    >
      <Table
        label="Table"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        orderedBy={1}
        empty="Nothing is called like that."
      />
    </Card>
  );
}

const CHOICES = [
  ['one', 'One'],
  ['two', 'Two'],
] as const;

const TILES: readonly Tile[] = [
  { label: 'Turnover', value: '524,134.70', change: '−3.9%', note: 'was 545,402.10' },
  { label: 'Orders', value: '18,204', change: '+4.4%', note: 'like for like' },
  { label: 'Average bill', value: '28.79', change: '0.0%', note: 'was 28.79' },
  { label: 'GST', value: '9.0%', note: '47,172.12' },
];

const HOUR_FIGURES = SHAPE.map((value, hour) => ({
  hour: String(hour),
  now: { gto: String(value * 600), orders: String(value), pax: String(value * 2) },
  before: { gto: String(value * 550 + (hour % 3) * 900), orders: '30', pax: '60' },
}));

const PAID = {
  cash: '87320.84',
  nets: '174641.68',
  visa: '261962.52',
  master: '56134.82',
  amex: '20000',
  voucher: '13660.43',
  other: '10000',
};

const HEAT = SHAPE.flatMap((value, hour) =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    hour,
    value: value * 13 * (weekday > 5 ? 1.4 : 1),
    text: String(value),
  })),
);

const CHANGES = [
  { hour: '12', field: 'gto', before: '1783.1', after: '1873.1' },
  { hour: '12', field: 'orders', before: '45', after: '44' },
];
