import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import type { Closure, Restaurant } from '../api/shapes.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { Search } from '../components/search.js';
import { Table } from '../components/table.js';
import { isFound } from '../data/sent-days.js';
import { rangeText, shortDate, weekdayOf } from '../dates.js';
import { addDays } from '../dates.js';
import { Heading, salesAddress } from '../route.js';
import { PasswordCard } from './password-card.js';
import { SecondFactorCard } from './second-factor-card.js';
import { SessionsCard } from './sessions-card.js';

/** Shows who is signed in, for which restaurants, and lets the password be changed. */
export function AccountView() {
  const { username, restaurants, hasAllRestaurants } = useAccount();
  return (
    <>
      <Heading text="Account">
        {username} ·{' '}
        {hasAllRestaurants ? 'all restaurants' : countText(restaurants.length, 'restaurant')}
      </Heading>
      <div class="two">
        <PasswordCard />
        <SessionsCard />
        <SecondFactorCard />
      </div>
      <RestaurantsCard />
    </>
  );
}

function RestaurantsCard() {
  const { restaurants, today } = useAccount();
  const [text, setText] = useState('');
  const found = restaurants.filter((each) => isFound(each, text));
  return (
    <Card
      title="My restaurants"
      note={countText(found.length, 'restaurant')}
      actions={<Search label="Name or number" value={text} search={setText} />}
    >
      <Table
        label="My restaurants"
        columns={columnsOf(today)}
        rows={found}
        keyOf={({ restaurant_id: id }) => id}
        orderedBy={0}
        isAscending
        empty="No restaurant."
      />
    </Card>
  );
}

const columnsOf = (today: string): readonly Column<Restaurant>[] => [
  {
    label: 'Restaurant',
    value: ({ name }) => name,
    show: ({ name, restaurant_id: id }) => (
      <>
        <a href={salesAddress({ from: addDays(today, -28), to: addDays(today, -1) }, [id])}>
          {name}
        </a>{' '}
        <small class="note">{id}</small>
      </>
    ),
  },
  { label: 'First day', kind: 'date', value: ({ first_day: day }) => day },
  { label: 'In the week', value: ({ weekly_hours: hours }) => weekText(hours) },
  { label: 'Closed', value: ({ closures }) => closures.map(closureText).join('; ') },
];

/** Writes the hours of a week, days with the same hours together: `Mon–Fri 11:00-22:00`. */
export function weekText(hours: readonly string[]): string {
  const groups: { first: number; last: number; text: string }[] = [];
  hours.forEach((text, index) => {
    const open = groups.at(-1);
    if (open?.text === text) open.last = index + 1;
    else groups.push({ first: index + 1, last: index + 1, text });
  });
  return groups
    .map(({ first, last, text }) => {
      const days = first === last ? weekdayOf(first) : `${weekdayOf(first)}–${weekdayOf(last)}`;
      return `${days} ${text || 'off'}`;
    })
    .join(', ');
}

const closureText = ({ first_day: first, last_day: last, reason }: Closure): string =>
  `${last === null ? `${shortDate(first)} on` : rangeText({ from: first, to: last })}${reason ? ` (${reason})` : ''}`;
