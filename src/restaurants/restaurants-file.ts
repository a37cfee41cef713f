import { InvalidName } from '../admin/admin.errors.js';
import { quote, readCsv } from '../admin/csv-table.js';
import { EVENING_FORM, parseEvening } from '../calendar/hour-set.js';
import { isCalendarDate, isId, isName } from '../http/validation/fields.decorator.js';
import { InvalidRestaurantId, RestaurantExists, UnknownRestaurant } from './restaurants.errors.js';
import { everyDay, type NewRestaurant } from './restaurants.service.js';

/**
 * Reads restaurants from a CSV file: new ones, or with `isUpdate` changes of those that are there,
 * where an empty cell, also of the name, changes nothing. `present` are the ids that there are.
 */
export async function readRestaurantsFile(
  file: string,
  present: ReadonlySet<number>,
  isUpdate: boolean,
): Promise<NewRestaurant[]> {
  const table = isUpdate
    ? await readCsv(file, ['restaurant_id'], ['name', 'first_day', 'hours'])
    : await readCsv(file, ['restaurant_id', 'name'], ['first_day', 'hours']);
  const lineOf = new Map<number, number>();
  const rows = table.rows.map((row): NewRestaurant => {
    const { restaurant_id, name, first_day, hours } = row.cells;
    const addFault = (column: keyof typeof row.cells, fault: string) =>
      table.addFault(row, column, fault);
    const id = /^\d+$/.test(restaurant_id) ? Number(restaurant_id) : 0;
    if (!isId(id)) addFault('restaurant_id', new InvalidRestaurantId().message);
    else if (lineOf.has(id)) addFault('restaurant_id', `${id} is also in line ${lineOf.get(id)}`);
    else if (isUpdate && !present.has(id))
      addFault('restaurant_id', new UnknownRestaurant(id).message);
    else if (!isUpdate && present.has(id))
      addFault('restaurant_id', new RestaurantExists(id).message);
    lineOf.set(id, row.line);
    if (!isName(name) && !(isUpdate && name === ''))
      addFault('name', new InvalidName('restaurant name').message);
    if (first_day !== '' && !isCalendarDate(first_day))
      addFault('first_day', `${quote(first_day)} is not a date that exists, as YYYY-MM-DD`);
    const evening = hours === '' ? undefined : parseEvening(hours);
    if (hours !== '' && !evening) addFault('hours', `${quote(hours)} is not ${EVENING_FORM}`);
    return {
      ...{ id, name, firstDay: first_day || undefined },
      weeklyHours: evening && everyDay(evening),
    };
  });
  table.assertNoFaults();
  return rows;
}
