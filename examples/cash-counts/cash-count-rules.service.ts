import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { closureOn } from '../../src/calendar/expected-hours.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import type { CashCount } from './cash-count.entity.js';
import { CashCountsConfig } from './cash-counts.config.js';
import { CountedBeforeTheDay, CountedWhileClosed, TooManyDrawers } from './cash-counts.errors.js';

/** Decides which counts a user may change. */
@Injectable()
export class CashCountRulesService {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
    private readonly config: CashCountsConfig,
  ) {}

  /** Throws RestaurantNotGranted, CountedBeforeTheDay, CountedWhileClosed, TooManyDrawers. */
  async assertMaySave({ userId, restaurantId, date }: CashCount, drawers: number): Promise<void> {
    const [restaurant] = await this.restaurants.assertGranted(userId, restaurantId);
    if (date > this.calendar.today()) throw new CountedBeforeTheDay(date);
    if (closureOn(restaurant!, date)) throw new CountedWhileClosed(restaurantId, date);
    const { CASH_COUNTS_MAX_DRAWERS: max } = this.config;
    if (drawers > max) throw new TooManyDrawers(max);
  }

  /** Allows the deletion of a count of any day. Throws RestaurantNotGranted. */
  async assertMayDelete({ userId, restaurantId }: CashCount): Promise<void> {
    await this.restaurants.assertGranted(userId, restaurantId);
  }
}
