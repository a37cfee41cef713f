import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { DatesReversed } from '../sales.errors.js';
import { COUNT_HOURS, exportHours, type ExportRange } from './export.statements.js';

const LINE_FEED = 10;

/** Exports the stored hourly figures as CSV. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** `onHours` gets the number of hours exported so far. */
  async export(
    range: ExportRange,
    onHours: (hours: number) => void,
  ): Promise<AsyncGenerator<Buffer>> {
    if (range.from > range.to) throw new DatesReversed(range.from, range.to);
    if (range.restaurantId !== null) await this.restaurants.get(range.restaurantId);
    return countLines(this.database.streamCopy(exportHours(range), 'csv, HEADER'), onHours);
  }

  async countHours({ from, to, restaurantId }: ExportRange): Promise<number> {
    const values = [from, to, restaurantId];
    return (await this.database.readSlowly<{ hours: number }>(COUNT_HOURS, values)).hours;
  }
}

/** The first line is the header. */
async function* countLines(chunks: AsyncIterable<Buffer>, onLines: (lines: number) => void) {
  let lines = -1;
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
    onLines(Math.max(0, lines));
    yield chunk;
  }
}
