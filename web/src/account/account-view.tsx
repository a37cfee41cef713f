import { formatWeek } from '../../../src/calendar/hour-set.js';
import { useAccount, useFound } from '../account.js';
import { countText } from '../amounts.js';
import type { Closure, Restaurant } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { type Column, nameColumns } from '../components/columns.js';
import { Heading } from '../components/heading.js';
import { FoundOf, Search } from '../components/search.js';
import { Table } from '../components/table.js';
import { hoursIn } from '../data/compare.js';
import { rangeOfPeriod } from '../data/periods.js';
import { rangeText, shortDate } from '../dates.js';
import { salesAddress, useKept } from '../route.js';
import { PasswordCard } from './password-card.js';
import { SecondFactorCard } from './second-factor-card.js';
import { SessionsCard } from './sessions-card.js';

/** Shows who is signed in, for which restaurants, and lets the password be changed. */
export function AccountView() {
  const { username, count, hasAllRestaurants } = useAccount();
  return (
    <>
      <Heading text="Account">
        {username} · {hasAllRestaurants ? 'all restaurants' : countText(count, 'restaurant')}
      </Heading>
      <div class="two even">
        <PasswordCard />
        <SessionsCard />
        <SecondFactorCard />
      </div>
      <RestaurantsCard />
    </>
  );
}

function RestaurantsCard() {
  const { today, count } = useAccount();
  const [text, setText] = useKept('filter', '');
  const found = useFound(text);
  return (
    <Card
      title="My restaurants"
      note={<FoundOf found={found.length} all={count} />}
      actions={<Search label="Name or number" value={text} search={setText} />}
    >
      <Table
        label="My restaurants"
        columns={columnsOf(today)}
        rows={found}
        keyOf={({ restaurant_id: id }) => id}
        orderedBy="Restaurant"
        isAscending
        empty="No match."
      />
    </Card>
  );
}

const columnsOf = (today: string): readonly Column<Restaurant>[] => [
  ...nameColumns<Restaurant>(
    (restaurant) => restaurant,
    ({ restaurant_id: id }) => salesAddress(rangeOfPeriod('last-28', today), [id]),
  ),
  { label: 'First day', kind: 'date', value: ({ first_day: day }) => day },
  { label: 'Opening hours', value: ({ weekly_hours: hours }) => formatWeek(hours.map(hoursIn)) },
  { label: 'Closed', value: ({ closures }) => closures.map(closureText).join('; ') },
];

const closureText = ({ first_day: first, last_day: last, reason }: Closure): string =>
  `${last === null ? `${shortDate(first)} on` : rangeText({ from: first, to: last })}${reason ? ` (${reason})` : ''}`;
