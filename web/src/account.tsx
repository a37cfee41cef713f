import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { read } from './api/service.js';
import type { AccountResponse, Restaurant } from './api/shapes.js';

export type { Restaurant } from './api/shapes.js';

export async function loadAccount() {
  const response = await read<AccountResponse>('/api/v1/restaurants');
  const { restaurants } = response;
  return {
    username: response.username,
    hasAllRestaurants: response.all_restaurants,
    timeZone: response.time_zone,
    currency: response.currency,
    today: response.today,
    restaurants,
    known: new Map(restaurants.map((each) => [each.restaurant_id, each])),
  };
}

/** What every view needs to know of the service. */
type Account = Awaited<ReturnType<typeof loadAccount>> & { readonly reload: () => void };

export const AccountContext = createContext({} as Account);

export const useAccount = (): Account => useContext(AccountContext);

export function nameOf({ known }: Pick<Account, 'known'>, id: string): string {
  return known.get(id)?.name ?? `Restaurant ${id}`;
}

/** Shows restaurants as the options of a list. */
export function RestaurantOptions({ chosen = [] }: { chosen?: readonly string[] }) {
  return (
    <>
      {useAccount().restaurants.map(({ restaurant_id: id, name }: Restaurant) => (
        <option key={id} value={id} selected={chosen.includes(id)}>
          {name} ({id})
        </option>
      ))}
    </>
  );
}
