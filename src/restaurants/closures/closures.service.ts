import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addDays, BusinessCalendar } from '../../calendar/business-calendar.js';
import { type Closure, closureOn } from '../../calendar/expected-hours.js';
import { DatesReversed } from '../../http/errors/http.errors.js';
import { isName } from '../../http/validation/fields.decorator.js';
import { InvalidName } from '../../users/users.errors.js';
import { type Restaurant, RestaurantClosure } from '../restaurant.entity.js';
import { NotClosed } from '../restaurants.errors.js';
import { RestaurantsService } from '../restaurants.service.js';

/** Days of a range (YYYY-MM-DD, both included); a null for the last means without an end. */
type Days = Pick<Closure, 'firstDay' | 'lastDay'>;

interface OpenDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What became of a restaurant: `days` are those that are closed, or open, now. */
export interface ClosuresChange {
  readonly restaurant: Restaurant;
  readonly isChanged: boolean;
  readonly days: Closure;
}

type Decision = { readonly days: Closure; readonly closures?: readonly Closure[] };

const LAST_DATE = '9999-12-31';
const ROWS_AT_ONCE = 1000;

/** Closes and reopens one restaurant or all of them; nothing that was uploaded is changed. */
@Injectable()
export class ClosuresService {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /**
   * Closes days. Where one closure has all of them already it stays, so that a holiday of all
   * restaurants does not cut the closure of one that is closed for good; only a closure of exactly
   * these days takes another reason. Other closures lose the days to the new one.
   */
  close(selection: number | 'all', closure: Closure, manager?: EntityManager) {
    const { firstDay, lastDay, reason } = closure;
    if (lastDay !== null && lastDay < firstDay) throw new DatesReversed(firstDay, lastDay);
    if (reason !== null && !isName(reason)) throw new InvalidName('reason');
    return this.change(selection, manager, ({ closures }) => {
      const covering = closures.find(
        (other) => other.firstDay <= firstDay && endOf(other) >= endOf(closure),
      );
      const isSame = covering?.firstDay === firstDay && endOf(covering) === endOf(closure);
      const isRenamed = isSame && reason !== null && reason !== covering.reason;
      if (covering && !isRenamed) return { days: covering };
      return { days: closure, closures: [...without(closures, closure), closure] };
    });
  }

  /**
   * Opens days: from `from`, by default today, to `to`, or else to the day before the next open
   * one. Throws `NotClosed`, but passes over an open one of all restaurants.
   */
  reopen(
    selection: number | 'all',
    { from = this.calendar.today(), to }: OpenDays = {},
    manager?: EntityManager,
  ) {
    if (to !== undefined && to < from) throw new DatesReversed(from, to);
    return this.change(selection, manager, (restaurant) => {
      const { id, name, closures } = restaurant;
      const days = { firstDay: from, lastDay: to ?? null, reason: null };
      const range = { firstDay: from, lastDay: to ?? endOfClosed(closures, from) };
      if (closures.some((closure) => overlap(closure, range)))
        return { days, closures: without(closures, range) };
      if (selection === 'all') return { days };
      throw new NotClosed(
        id,
        name,
        from,
        closures.find(({ firstDay }) => firstDay > from)?.firstDay,
      );
    });
  }

  /** Writes the closures that are decided on, and returns what became of each restaurant. */
  private change(
    selection: number | 'all',
    manager: EntityManager = this.restaurants.manager,
    decide: (restaurant: Restaurant) => Decision,
  ): Promise<ClosuresChange[]> {
    const locked = selection === 'all' ? selection : [selection];
    return manager.transaction(async (transaction) => {
      const decisions = (await this.restaurants.lock(locked, transaction)).map((restaurant) => ({
        restaurant,
        ...decide(restaurant),
      }));
      const changed = decisions.filter(({ closures }) => closures !== undefined);
      const ids = changed.map(({ restaurant }) => restaurant.id);
      const rows = changed.flatMap(({ restaurant: { id }, closures }) =>
        closures!.map(({ firstDay, lastDay, reason }) => ({
          restaurantId: id,
          firstDay,
          lastDay,
          reason,
        })),
      );
      const deletion = transaction.createQueryBuilder().delete().from(RestaurantClosure);
      await deletion.where('restaurant_id = ANY(:ids)', { ids }).execute();
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
        await transaction.insert(RestaurantClosure, rows.slice(start, start + ROWS_AT_ONCE));
      return decisions.map(({ restaurant, days, closures }) => ({
        restaurant,
        days,
        isChanged: closures !== undefined,
      }));
    });
  }
}

function endOf({ lastDay }: Days): string {
  return lastDay ?? LAST_DATE;
}

/** Returns the last of the closed days in a row that begin with a date; the date if it is open. */
function endOfClosed(closures: readonly Closure[], date: string): string {
  let end = date;
  for (let held = closureOn({ closures }, date); held;) {
    end = endOf(held);
    held = end === LAST_DATE ? undefined : closureOn({ closures }, addDays(end, 1));
  }
  return end;
}

function overlap(one: Days, other: Days): boolean {
  return one.firstDay <= endOf(other) && other.firstDay <= endOf(one);
}

/** Returns what remains of closures if these days are taken out of them. */
function without(closures: readonly Closure[], days: Days): Closure[] {
  return closures.flatMap((closure) => {
    if (!overlap(closure, days)) return [closure];
    const { firstDay, lastDay, reason } = closure;
    const remaining: Closure[] = [];
    if (firstDay < days.firstDay)
      remaining.push({ firstDay, reason, lastDay: addDays(days.firstDay, -1) });
    if (endOf(closure) > endOf(days))
      remaining.push({ lastDay, reason, firstDay: addDays(endOf(days), 1) });
    return remaining;
  });
}
