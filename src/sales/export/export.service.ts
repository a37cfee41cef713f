import { Injectable } from '@nestjs/common';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { DatesReversed } from '../sales.errors.js';
import { ExportRepository, type ExportFormat, type ExportRange } from './export.repository.js';

const LINE_FEED = 10;

@Injectable()
export class ExportService {
  constructor(
    private readonly sales: ExportRepository,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** `onHours` gets the number of hours exported so far. */
  async export(
    range: ExportRange,
    format: ExportFormat,
    onHours: (hours: number) => void,
  ): Promise<AsyncGenerator<Buffer>> {
    if (range.from > range.to) throw new DatesReversed(range.from, range.to);
    if (range.restaurantId !== null) await this.restaurants.get(range.restaurantId);
    return countLines(this.sales.stream(range, format), format === 'csv' ? 1 : 0, onHours);
  }

  countHours(range: ExportRange): Promise<number> {
    return this.sales.countHours(range);
  }
}

async function* countLines(chunks: AsyncIterable<Buffer>, header: number, onLines: (lines: number) => void) {
  let lines = -header;
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
    onLines(Math.max(0, lines));
    yield chunk;
  }
}
