import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { changePassword, signOut } from '../api/service.js';
import type { Closure, Restaurant } from '../api/shapes.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { Search } from '../components/search.js';
import { Table } from '../components/table.js';
import { isFound } from '../data/sent-days.js';
import { rangeText, shortDate, weekdayOf } from '../dates.js';
import { addDays } from '../dates.js';
import { Heading, salesAddress } from '../route.js';
import { errorText } from '../use-load.js';

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
        <Card title="Sessions">
          <p>
            Signing out ends this session in all tabs of this browser. Signing out everywhere ends
            every session of {username}, on other computers and in programs too.
          </p>
          <p class="actions">
            <button type="button" onClick={() => void signOut()}>
              Sign out
            </button>
            <button type="button" onClick={() => void signOut(true)}>
              Sign out everywhere
            </button>
          </p>
        </Card>
      </div>
      <RestaurantsCard />
    </>
  );
}

function PasswordCard() {
  const [state, setState] = useState({ error: '', done: '', isBusy: false });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const [current, next, again] = [...new FormData(form).values()] as string[];
    if (next !== again) {
      setState({ error: 'The new passwords differ.', done: '', isBusy: false });
      return;
    }
    setState({ error: '', done: '', isBusy: true });
    try {
      await changePassword(current!, next!);
      form.reset();
      const done = 'The password is changed. All other sessions have ended.';
      setState({ error: '', done, isBusy: false });
    } catch (reason) {
      setState({ error: errorText(reason), done: '', isBusy: false });
    }
  };
  return (
    <Card title="Change password">
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <PasswordField name="current" label="Current password" kind="current" />
        <PasswordField name="next" label="New password" kind="new" />
        <PasswordField name="again" label="Repeat new password" kind="new" />
        <button class="primary" disabled={state.isBusy}>
          Change password
        </button>
        <p role="alert">{state.error}</p>
        <p role="status">{state.done}</p>
      </form>
    </Card>
  );
}

interface PasswordFieldProps {
  readonly name: string;
  readonly label: string;
  readonly kind: 'current' | 'new';
}

function PasswordField({ name, label, kind }: PasswordFieldProps) {
  return (
    <label>
      {label}
      <input name={name} type="password" autocomplete={`${kind}-password`} required />
    </label>
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
