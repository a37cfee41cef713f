import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { components } from './api/schema.js';
import { get, type Exact } from './api/service.js';

export type Restaurant = Exact<components['schemas']['GrantedRestaurant']>;

/** Reads the restaurants, and from the calendar of any day today's date and the time zone. */
export async function loadAccount() {
  const anyDay = new Date().toISOString().slice(0, 10);
  const [{ restaurants }, { today, time_zone: timeZone }] = await Promise.all([
    get('/api/v1/restaurants'),
    get('/api/v1/sales/calendar', { from: anyDay, to: anyDay, limit: 1 }),
  ]);
  return { restaurants, today, timeZone };
}

/** What every view needs to know of the service. */
type Account = Awaited<ReturnType<typeof loadAccount>> & { readonly reload: () => void };

export const AccountContext = createContext({} as Account);

export const useAccount = (): Account => useContext(AccountContext);

export function nameOf({ restaurants }: Account, id: string): string {
  return restaurants.find((each) => each.restaurant_id === id)?.name ?? `Restaurant ${id}`;
}

/** Shows restaurants as the options of a list. */
export function RestaurantOptions({ chosen = [] }: { chosen?: readonly string[] }) {
  return (
    <>
      {useAccount().restaurants.map(({ restaurant_id: id, name }) => (
        <option key={id} value={id} selected={chosen.includes(id)}>
          {name}
        </option>
      ))}
    </>
  );
}
