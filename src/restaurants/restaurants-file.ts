import { quote, readCsv } from '../admin/csv-table.js';
import { HOURS_FORM, parseHours } from '../calendar/hour-set.js';
import { isCalendarDate } from '../http/validation/fields.decorator.js';
import { InvalidRestaurantId, RestaurantExists } from './restaurants.errors.js';
import { assertValid, everyDay, type NewRestaurant } from './restaurants.service.js';

/** Reads new restaurants from a CSV file; `taken` are the ids that there are already. */
export async function readRestaurantsFile(
  file: string,
  taken: ReadonlySet<number>,
): Promise<NewRestaurant[]> {
  const table = await readCsv(file, ['restaurant_id', 'name'], ['first_day', 'hours']);
  const lineOf = new Map<number, number>();
  const restaurants = table.rows.map((row) => {
    const { cells, line } = row;
    const id = /^\d+$/.test(cells.restaurant_id) ? Number(cells.restaurant_id) : NaN;
    const hours = cells.hours === '' ? undefined : parseHours(cells.hours);
    const restaurant = {
      id,
      name: cells.name,
      firstDay: cells.first_day || undefined,
      weeklyHours: hours === undefined ? undefined : everyDay(hours),
    };
    try {
      assertValid(restaurant);
      if (taken.has(id)) throw new RestaurantExists(id);
    } catch (error) {
      const { message } = error as Error;
      const isOfId = error instanceof InvalidRestaurantId || error instanceof RestaurantExists;
      table.addFault(row, isOfId ? 'restaurant_id' : 'name', message);
    }
    if (lineOf.has(id))
      table.addFault(row, 'restaurant_id', `${id} is also in line ${lineOf.get(id)}`);
    lineOf.set(id, line);
    if (cells.first_day !== '' && !isCalendarDate(cells.first_day))
      table.addFault(
        row,
        'first_day',
        `${quote(cells.first_day)} is not a date that exists, as YYYY-MM-DD`,
      );
    if (cells.hours !== '' && hours === undefined)
      table.addFault(row, 'hours', `${quote(cells.hours)} is not ${HOURS_FORM}`);
    return restaurant;
  });
  table.assertNoFaults();
  return restaurants;
}
