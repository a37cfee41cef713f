import { render } from 'preact';
import { useState } from 'preact/hooks';
import { type Account, AccountContext } from '../src/account.js';
import type { RestaurantSums } from '../src/api/shapes.js';
import { Card, Notice } from '../src/components/card.js';
import { ChangesTable } from '../src/components/changes-table.js';
import { Choices, Switch } from '../src/components/choices.js';
import { figureColumn, nameColumns } from '../src/components/columns.js';
import { Dialog } from '../src/components/dialog.js';
import { ExportButtons } from '../src/components/export-buttons.js';
import { Payments } from '../src/components/payments.js';
import { PeriodPicker } from '../src/components/period-picker.js';
import { RestaurantChoice, RestaurantPicker } from '../src/components/restaurant-picker.js';
import { Table } from '../src/components/table.js';
import { Facts, Tiles } from '../src/components/tiles.js';
import { compareRestaurants } from '../src/data/compare.js';
import { PERIODS } from '../src/data/periods.js';
import { FIELD_NAMES, figuresOf } from '../src/fields.js';

/* Every component with figures that are made up, for who works on the page: `npx vite web` serves
 * this page at /app/gallery.html; the build does not have it. */

const TODAY = '2026-11-26';
const DAY = { from: '2026-11-25', to: '2026-11-25' };
const BEFORE = { from: '2026-11-18', to: '2026-11-18' };
const figures = (scale: number) =>
  figuresOf((field) =>
    String((scale * (FIELD_NAMES.indexOf(field) + 3)) / (field === 'gto' ? 2 : 1)),
  );

const lines = (scale: number): RestaurantSums[] =>
  Array.from({ length: 2000 }, (_, index) => ({
    restaurant_id: String(index + 1),
    name: index === 7 ? 'W'.repeat(200) : `Restaurant ${index + 1}`,
    ...{ hours: '24', expected_hours: '24', missing_hours: '0', days: '1', last_sent: DAY.to },
    totals: figures(((index * 7919) % 1009) * scale),
  }));

const restaurants = lines(1).map(({ restaurant_id, name }) => {
  return { restaurant_id, name, first_day: '2026-01-01', weekly_hours: [], closures: [] };
});
const account: Account = {
  ...{ username: 'demo', hasAllRestaurants: true, timeZone: 'UTC', currency: 'SGD', today: TODAY },
  ...{ restaurants, count: restaurants.length, isWhole: true },
  known: new Map(restaurants.map((each) => [each.restaurant_id, each])),
};

const compared = compareRestaurants(
  account.known,
  { ...DAY, restaurants: lines(10) },
  { ...BEFORE, restaurants: lines(9) },
);

function Gallery() {
  return (
    <AccountContext.Provider value={account}>
      <h1>Components</h1>
      <Controls />
      <Notice kind="act">Somebody must act: this is what red is for.</Notice>
      <Notice kind="warn" actions={<button type="button">Look</button>}>
        Somebody should look at this.
      </Notice>
      <Notice kind="good">All is well.</Notice>
      <Notice>A sentence that informs.</Notice>
      <Tiles compared={compared} />
      <Facts compared={compared} />
      <div class="two">
        <Payments totals={figures(7919)} />
      </div>
      <Restaurants />
      <Card title="Changes">
        <ChangesTable
          label="Changes"
          changes={[
            { hour: '12', field: 'gto', before: '1783.1', after: '1873.1' },
            { hour: '12', field: 'orders', before: '45', after: '44' },
          ]}
        />
      </Card>
    </AccountContext.Provider>
  );
}

function Controls() {
  const [isOn, setOn] = useState(true);
  const [choice, setChoice] = useState<'one' | 'two'>('one');
  const [isOpen, setOpen] = useState(false);
  const nothing = (): void => undefined;
  return (
    <div class="controls">
      <PeriodPicker
        label="Period"
        names={PERIODS}
        value="yesterday"
        usual="yesterday"
        range={DAY}
        query="period"
      />
      <RestaurantPicker ids={[]} choose={nothing} />
      <RestaurantChoice label="Restaurant" value="" choose={nothing} />
      <Switch label="A switch" isOn={isOn} set={setOn} />
      <Choices
        label="Choices"
        value={choice}
        options={[
          ['one', 'One'],
          ['two', 'Two'],
        ]}
        choose={setChoice}
      />
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

function Restaurants() {
  const rows = lines(1);
  const columns = [
    ...nameColumns<RestaurantSums>((line) => line),
    figureColumn<RestaurantSums>('gto', ({ totals }) => totals),
  ];
  return (
    <Card title="Table" actions={<ExportButtons name="components" columns={columns} rows={rows} />}>
      <Table
        label="Table"
        columns={columns}
        rows={rows}
        keyOf={({ restaurant_id: id }) => id}
        orderedBy="Turnover"
      />
    </Card>
  );
}

render(<Gallery />, document.getElementById('main')!);
