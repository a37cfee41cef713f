import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { numberText } from '../amounts.js';
import type { RestaurantSums } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { type Column, nameColumns } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { salesColumns } from '../components/sales-columns.js';
import { FoundOf, Search } from '../components/search.js';
import { Table } from '../components/table.js';
import type { Compared, ComparedRestaurant as Row } from '../data/compare.js';
import { isFound } from '../data/find.js';
import { sumOf } from '../data/totals.js';
import { dayAddress, salesAddress, useKept } from '../route.js';

/** Shows who rises and who falls: a row for each restaurant. */
export function RestaurantsCard({ compared }: { compared: Compared }) {
  const [text, setText] = useKept('filter', '');
  const { rows, range, before } = compared;
  const { today } = useAccount();
  const columns = useMemo((): readonly Column<Row>[] => {
    const address = ({ now: { restaurant_id: id } }: Row): string =>
      range.from === range.to ? dayAddress(id, range.from) : salesAddress(range, [id]);
    return [
      ...nameColumns<Row>(({ now }) => now, address),
      ...salesColumns<Row>({ hasBefore: !!before, unlike: gapsOf, isOver: () => range.to < today }),
    ];
  }, [compared, today]);
  const found = useMemo(() => rows.filter(({ now }) => isFound(now, text)), [rows, text]);
  const total = useMemo(() => {
    const now = { ...found[0]?.now, ...sumOf(found.map((row) => row.now)) } as RestaurantSums;
    return { row: { now, before: undefined, unlike: undefined }, without: ['Change'] };
  }, [found]);
  return (
    <Card
      title="Restaurants"
      note={<FoundOf found={found.length} all={rows.length} />}
      actions={
        <>
          <Search label="Name or number" value={text} search={setText} />
          <ExportButtons
            name={`restaurants-${range.from}-${range.to}`}
            columns={columns}
            rows={found}
          />
        </>
      }
    >
      <Table
        label="Totals by restaurant"
        columns={columns}
        rows={found}
        keyOf={({ now }) => now.restaurant_id}
        orderedBy="Turnover"
        total={total}
        empty={`No match for “${text}”.`}
      />
    </Card>
  );
}

/** Says why a restaurant is not compared: hours are missing, or it was closed in one of both periods. */
function gapsOf({ now, before, unlike }: Row): string | undefined {
  if (unlike === undefined) return undefined;
  return unlike === 'opening'
    ? `Not alike: closures or its first day leave ${numberText(now.expected_hours)} expected hours, ${numberText(before!.expected_hours)} before`
    : `Not alike: ${numberText(now.missing_hours)} hours are missing, ${numberText(before?.missing_hours ?? 0)} before`;
}
