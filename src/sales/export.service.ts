import { Injectable } from '@nestjs/common';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { EXPORT_COLUMNS, ExportRepository, type ExportFormat, type ExportRange } from './export.repository.js';
import { assertOrdered } from './reports.service.js';

/** Pieces of about this many characters are handed on: many small writes would take most of the time. */
const PIECE = 65_536;

/** Hands the figures to finance and to other programs, however many they are. */
@Injectable()
export class ExportService {
  constructor(
    private readonly sales: ExportRepository,
    private readonly restaurants: RestaurantsService,
  ) {}

  /**
   * The export's text in pieces, by restaurant, date and hour; `onHours` is told how many hours it holds so far. Throws
   * `DatesReversed`, `UnknownRestaurant`.
   */
  async export(
    range: ExportRange,
    format: ExportFormat,
    onHours: (hours: number) => void,
  ): Promise<AsyncIterable<string>> {
    assertOrdered(range.from, range.to);
    if (range.restaurantId !== null) await this.restaurants.get(range.restaurantId);
    return this.write(range, format, onHours);
  }

  countHours(range: ExportRange): Promise<number> {
    return this.sales.countHours(range);
  }

  private async *write(range: ExportRange, format: ExportFormat, onHours: (hours: number) => void) {
    let piece = format === 'csv' ? `${EXPORT_COLUMNS.join(',')}\n` : '';
    let exported = 0;
    for await (const { lines, hours } of this.sales.streamDays(range, format)) {
      piece += `${lines}\n`;
      exported += hours;
      if (piece.length < PIECE) continue;
      yield piece;
      onHours(exported);
      piece = '';
    }
    if (piece !== '') yield piece;
    onHours(exported);
  }
}
