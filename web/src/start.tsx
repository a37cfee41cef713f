import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { addDays, today } from './dates.js';
import { RestaurantsContext } from './restaurants.js';
import { dayAddress } from './route.js';

/** Lists the restaurants, each with a link to yesterday. */
export function Start(): JSX.Element {
  const restaurants = useContext(RestaurantsContext);
  const yesterday = addDays(today(), -1);
  return (
    <>
      <h1>Restaurants</h1>
      <ul>
        {restaurants.map(({ restaurant_id, name }) => (
          <li key={restaurant_id}>
            <a href={dayAddress(restaurant_id, yesterday)}>
              {name} ({restaurant_id})
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
