import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { read } from './api/service.js';
import type { AccountResponse, Restaurant } from './api/shapes.js';
import { isFound } from './data/find.js';
import type { Query } from './route.js';
import { useLoad } from './use-load.js';

/**
 * So many restaurants are kept in the page; of more, the service finds those that are wanted, and
 * views of all of them show sums alone.
 */
export const MAX_KEPT = 1000;
/** How long nobody types before the service is asked. */
const PAUSE_MS = 200;

const readRestaurants = (query: Query, signal?: AbortSignal): Promise<AccountResponse> =>
  read('/api/v1/restaurants', { limit: MAX_KEPT, ...query }, { signal });

export async function loadAccount(signal?: AbortSignal) {
  const response = await readRestaurants({}, signal);
  const { restaurants } = response;
  return {
    username: response.username,
    hasAllRestaurants: response.all_restaurants,
    timeZone: response.time_zone,
    currency: response.currency,
    today: response.today,
    /** How many restaurants the account has; `restaurants` are the first of them. */
    count: Number(response.count),
    isWhole: response.next === null,
    restaurants,
    known: new Map(restaurants.map((each) => [each.restaurant_id, each])),
  };
}

export type Account = Awaited<ReturnType<typeof loadAccount>>;

export const AccountContext = createContext({} as Account);

export const useAccount = (): Account => useContext(AccountContext);

export function nameOf({ known }: Pick<Account, 'known'>, id: string): string {
  return known.get(id)?.name ?? `Restaurant ${id}`;
}

/** Finds restaurants by name or number: in the page, or by the service where it has more. */
export function useFound(text: string): readonly Restaurant[] {
  const { restaurants, isWhole } = useAccount();
  const isAsked = !isWhole && text.trim() !== '';
  const asked = useLoad(
    async (signal) => {
      if (!isAsked) return [];
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (signal.aborted) return [];
      return (await readRestaurants({ search: text.trim(), limit: 100 }, signal)).restaurants;
    },
    [isAsked ? text.trim() : ''],
  ).value;
  return useMemo(
    () => (isAsked ? (asked ?? []) : restaurants.filter((each) => isFound(each, text))),
    [restaurants, text, asked],
  );
}

/** So many restaurants of an address are asked for where the account has more than the page keeps. */
const MAX_NAMED = 20;

/** Returns the account with the restaurants of these numbers, also where it has very many. */
export function useNamed(account: Account, ids: readonly string[]): Account | undefined {
  const unknown = account.isWhole
    ? []
    : ids.filter((id) => !account.known.has(id)).slice(0, MAX_NAMED);
  const { value, isOld, error } = useLoad(
    (signal) =>
      Promise.all(unknown.map((search) => readRestaurants({ search, limit: 100 }, signal))),
    [unknown.join()],
  );
  return useMemo(() => {
    if (error === undefined && unknown.length > 0 && (value === undefined || isOld))
      return undefined;
    const named = (value ?? []).flatMap(({ restaurants }) => restaurants);
    const known = new Map(named.map((each) => [each.restaurant_id, each]));
    return { ...account, known: new Map([...account.known, ...known]) };
  }, [account, value, isOld, error, unknown.join()]);
}
