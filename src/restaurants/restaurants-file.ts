import { quote, readCsv } from '../admin/csv-table.js';
import { HOURS_FORM, parseHours } from '../calendar/hour-set.js';
import { isCalendarDate, isId, isName } from '../http/validation/fields.decorator.js';
import { InvalidName } from '../users/users.errors.js';
import { InvalidRestaurantId, RestaurantExists } from './restaurants.errors.js';
import { everyDay, type NewRestaurant } from './restaurants.service.js';

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
    const addFault = (column: keyof typeof cells, fault: string) =>
      table.addFault(row, column, fault);
    if (!isId(id)) addFault('restaurant_id', new InvalidRestaurantId().message);
    else if (taken.has(id)) addFault('restaurant_id', new RestaurantExists(id).message);
    else if (!isName(cells.name)) addFault('name', new InvalidName('restaurant name').message);
    if (lineOf.has(id)) addFault('restaurant_id', `${id} is also in line ${lineOf.get(id)}`);
    lineOf.set(id, line);
    const { first_day: day } = cells;
    if (day !== '' && !isCalendarDate(day))
      addFault('first_day', `${quote(day)} is not a date that exists, as YYYY-MM-DD`);
    if (cells.hours !== '' && hours === undefined)
      addFault('hours', `${quote(cells.hours)} is not ${HOURS_FORM}`);
    return restaurant;
  });
  table.assertNoFaults();
  return restaurants;
}
