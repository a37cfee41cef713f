import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertName } from '../../admin/admin.errors.js';
import { addDays, BusinessCalendar } from '../../calendar/business-calendar.js';
import { type Closure, closureOn } from '../../calendar/expected-hours.js';
import { DatesReversed } from '../../http/errors/http.errors.js';
import { type Restaurant, RestaurantClosure } from '../restaurant.entity.js';
import { RestaurantsService, type Selection } from '../restaurants.service.js';
import { TAKE_OUT_DAYS } from './closures.statements.js';

interface OpenDays {
  readonly from?: string | undefined;
  readonly to?: string | null | undefined;
}

/** What became of a restaurant: `days` are those that are closed, or open, now. */
export interface ClosuresChange {
  readonly restaurant: Restaurant;
  readonly isChanged: boolean;
  readonly days: Closure;
}

/** Closes and reopens restaurants; nothing that was uploaded is changed. */
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
  close(
    selection: Selection,
    closure: Closure,
    manager?: EntityManager,
  ): Promise<ClosuresChange[]> {
    const { firstDay, lastDay, reason } = closure;
    assertInOrder(firstDay, lastDay);
    if (reason !== null) assertName('reason', reason);
    return this.restaurants.forEach(selection, manager, async (restaurant, transaction) => {
      const { id: restaurantId, closures } = restaurant;
      const covering = closures.find((each) => hasAlready(each, closure));
      if (covering) return { restaurant, isChanged: false, days: covering };
      await transaction.query(TAKE_OUT_DAYS, [restaurantId, firstDay, lastDay]);
      await transaction.insert(RestaurantClosure, { restaurantId, ...closure });
      return { restaurant, isChanged: true, days: closure };
    });
  }

  /**
   * Opens days: from `from`, by default today, to `to`, or else to the day before the next open
   * one. It passes over a restaurant that is open.
   */
  reopen(
    selection: Selection,
    { from = this.calendar.today(), to = null }: OpenDays = {},
    manager?: EntityManager,
  ): Promise<ClosuresChange[]> {
    assertInOrder(from, to);
    const days = { firstDay: from, lastDay: to, reason: null };
    return this.restaurants.forEach(selection, manager, async (restaurant, transaction) => {
      const { id, closures } = restaurant;
      const isChanged = closures.some(
        ({ firstDay, lastDay }) =>
          firstDay <= (to ?? from) && (lastDay === null || lastDay >= from),
      );
      if (isChanged)
        await transaction.query(TAKE_OUT_DAYS, [id, from, to ?? endOfRun(closures, from)]);
      return { restaurant, isChanged, days };
    });
  }
}

function assertInOrder(from: string, to: string | null): void {
  if (to !== null && to < from) throw new DatesReversed(from, to);
}

/** Says whether a closure has all days of another, unless only the reason is to become another. */
function hasAlready(closure: Closure, { firstDay, lastDay, reason }: Closure): boolean {
  if (closure.firstDay === firstDay && closure.lastDay === lastDay)
    return reason === null || reason === closure.reason;
  const endsLater = closure.lastDay === null || (lastDay !== null && lastDay <= closure.lastDay);
  return closure.firstDay <= firstDay && endsLater;
}

/** Returns the last of the closed days in a row that a closed day is in; null for no end. */
function endOfRun(closures: readonly Closure[], day: string): string | null {
  const { lastDay } = closureOn({ closures }, day)!;
  if (lastDay === null) return null;
  const next = addDays(lastDay, 1);
  return closureOn({ closures }, next) ? endOfRun(closures, next) : lastDay;
}
