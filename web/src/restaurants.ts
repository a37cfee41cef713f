import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { api, unwrap } from './api/session.js';
import type { components } from './api/schema.js';
import { useLoad, type Loaded } from './use-load.js';

export type Restaurant = components['schemas']['GrantedRestaurant'];

/** The restaurants of the signed-in user. */
export const RestaurantsContext = createContext<readonly Restaurant[]>([]);

export function useGrantedRestaurants(): Loaded<readonly Restaurant[]> {
  return useLoad(async () => unwrap(await api.GET('/api/v1/restaurants')).restaurants, []);
}

export function useRestaurantName(id: number): string {
  const found = useContext(RestaurantsContext).find(({ restaurant_id }) => restaurant_id === id);
  return found?.name ?? `Restaurant ${id}`;
}
