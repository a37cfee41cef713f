import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertName } from '../../admin/admin.errors.js';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import type { Closure } from '../../calendar/expected-hours.js';
import { DatesReversed } from '../../http/errors/http.errors.js';
import type { Restaurant } from '../restaurant.entity.js';
import { RestaurantsService } from '../restaurants.service.js';
import {
  ADD_CLOSURES,
  COVERING_CLOSURES,
  REOPEN_DAYS,
  TAKE_OUT_DAYS,
} from './closures.statements.js';

interface OpenDays {
  readonly from?: string | undefined;
  readonly to?: string | null | undefined;
}

type Selection = readonly number[] | 'all';

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
    manager = this.restaurants.manager,
  ): Promise<ClosuresChange[]> {
    const { firstDay, lastDay, reason } = closure;
    assertInOrder(firstDay, lastDay);
    if (reason !== null) assertName('reason', reason);
    return manager.transaction(async (transaction) => {
      const restaurants = await this.restaurants.lock(selection, transaction);
      const values = [restaurants.map(({ id }) => id), firstDay, lastDay];
      const rows = await query<Closure>(transaction, COVERING_CLOSURES, [...values, reason]);
      const covering = new Map(rows.map(({ id, ...other }) => [id, other]));
      values[0] = restaurants.map(({ id }) => id).filter((id) => !covering.has(id));
      await transaction.query(TAKE_OUT_DAYS, values);
      await transaction.query(ADD_CLOSURES, [...values, reason]);
      return restaurants.map((restaurant) => {
        const days = covering.get(restaurant.id);
        return { restaurant, isChanged: days === undefined, days: days ?? closure };
      });
    });
  }

  /**
   * Opens days: from `from`, by default today, to `to`, or else to the day before the next open
   * one. It passes over a restaurant that is open.
   */
  reopen(
    selection: Selection,
    { from = this.calendar.today(), to = null }: OpenDays = {},
    manager = this.restaurants.manager,
  ): Promise<ClosuresChange[]> {
    assertInOrder(from, to);
    return manager.transaction(async (transaction) => {
      const restaurants = await this.restaurants.lock(selection, transaction);
      const values = [restaurants.map(({ id }) => id), from, to];
      const rows = await query(transaction, REOPEN_DAYS, values);
      const reopened = new Set(rows.map(({ id }) => id));
      const days = { firstDay: from, lastDay: to, reason: null };
      return restaurants.map((restaurant) => {
        return { restaurant, isChanged: reopened.has(restaurant.id), days };
      });
    });
  }
}

function assertInOrder(from: string, to: string | null): void {
  if (to !== null && to < from) throw new DatesReversed(from, to);
}

/** Runs a statement, each of whose rows is about a restaurant. */
function query<Row = object>(transaction: EntityManager, text: string, values: unknown[]) {
  return transaction.query<(Row & { readonly id: number })[]>(text, values);
}
