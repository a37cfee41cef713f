import { Injectable } from '@nestjs/common';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { ExportRepository, type ExportFormat, type ExportRange } from './export.repository.js';
import { assertOrdered } from '../reports/reports.service.js';

const LINE_FEED = 10;

/** Hands the figures to finance and to other programs, however many they are. */
@Injectable()
export class ExportService {
  constructor(
    private readonly sales: ExportRepository,
    private readonly restaurants: RestaurantsService,
  ) {}

  /**
   * The export's bytes, by restaurant, date and hour; `onHours` is told how many hours they hold so far. Throws
   * `DatesReversed`, `UnknownRestaurant`.
   */
  async export(
    range: ExportRange,
    format: ExportFormat,
    onHours: (hours: number) => void,
  ): Promise<AsyncGenerator<Buffer>> {
    assertOrdered(range.from, range.to);
    if (range.restaurantId !== null) await this.restaurants.get(range.restaurantId);
    return this.count(this.sales.stream(range, format), format === 'csv' ? -1 : 0, onHours);
  }

  countHours(range: ExportRange): Promise<number> {
    return this.sales.countHours(range);
  }

  private async *count(chunks: AsyncIterable<Buffer>, head: number, onHours: (hours: number) => void) {
    let hours = head;
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) hours++;
      onHours(Math.max(0, hours));
      yield chunk;
    }
  }
}
