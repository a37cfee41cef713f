import type { INestApplicationContext } from '@nestjs/common';
import { unsetPlace } from '../config/load-config.js';
import type { Log } from '../logging/log.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';

/**
 * Asks for the time zone and the currency of the restaurants: refuses to begin with defaults that
 * nobody has chosen, and warns where restaurants have lived with them.
 */
export async function assertPlaceIsChosen(app: INestApplicationContext, log: Log): Promise<void> {
  const unset = unsetPlace();
  if (unset.length === 0) return;
  const restaurants = await app.get(RestaurantsService).list();
  const problems = unset.map(({ name, example }) => `${name} is not set, such as ${example}`);
  if (restaurants.length === 0)
    throw new Error(problems.map((problem) => `settings: ${problem}`).join('\n'));
  for (const problem of problems) log.warn(`${problem}: the default is used`);
}
