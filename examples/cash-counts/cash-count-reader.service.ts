import { Injectable } from '@nestjs/common';
import { distinctUntilKeyChanged, exhaustMap, type Observable, timer } from 'rxjs';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { type PageRequest, toPage } from '../../src/database/page.js';
import { DatesReversed } from '../../src/http/errors/http.errors.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import type { CashCountLine } from './cash-count-line.entity.js';
import { NoCashCount } from './cash-counts.errors.js';
import {
  CashCountsRepository,
  type Days,
  type LinePosition,
  type LinesSelection,
} from './cash-counts.repository.js';

/** Milliseconds between two looks for what another instance may have saved. */
const LOOK_MS = 2000;

/** The restaurants of a user that have counted a day. */
export interface Counted {
  readonly date: string;
  readonly restaurantIds: readonly number[];
}

/** Tells what restaurants counted in their drawers. */
@Injectable()
export class CashCountReaderService {
  constructor(
    private readonly repository: CashCountsRepository,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Reads a day with its exact total. Throws RestaurantNotGranted, NoCashCount. */
  async read(
    userId: number,
    restaurantId: number,
    date: string,
  ): Promise<{ lines: CashCountLine[]; total: number }> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const total = await this.repository.sumDay(restaurantId, date);
    if (total === null) throw new NoCashCount(restaurantId, date);
    return { lines: await this.repository.findDay(restaurantId, date), total: Number(total) };
  }

  /**
   * Lists the lines of a restaurant by date and drawer. Throws RestaurantNotGranted, DatesReversed.
   */
  async list(userId: number, selection: LinesSelection, page: PageRequest<LinePosition>) {
    await this.restaurants.assertGranted(userId, selection.restaurantId);
    assertInOrder(selection);
    const rows = await this.repository.findPage(selection, page);
    return toPage(rows, page.limit, ({ date, drawer }) => ({ date, drawer }));
  }

  /** Tells which of the user's restaurants have counted today, again whenever that changes. */
  watchToday(userId: number): Observable<Counted> {
    return timer(0, LOOK_MS).pipe(
      exhaustMap(async () => {
        const visible = await this.restaurants.listVisible(userId);
        const date = this.calendar.today();
        const ids = visible.map(({ id }) => id);
        const restaurantIds = await this.repository.findCounted(ids, date);
        return { date, restaurantIds, key: [date, ...restaurantIds].join() };
      }),
      distinctUntilKeyChanged('key'),
    );
  }

  /**
   * Streams the lines of one restaurant, or of all, as CSV. Throws CommandRejected,
   * DatesReversed.
   */
  async exportCsv(days: Days, restaurantId?: number): Promise<AsyncIterable<Buffer>> {
    assertInOrder(days);
    if (restaurantId !== undefined) await this.restaurants.get(restaurantId);
    return this.repository.exportCsv(days, restaurantId);
  }
}

function assertInOrder({ from, to }: Days): void {
  if (from > to) throw new DatesReversed(from, to);
}
