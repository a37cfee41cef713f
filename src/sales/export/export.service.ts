import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { DatesReversed } from '../../http/errors/http.errors.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { exportHours, type ExportRange } from './export.statement.js';

@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** Returns the stored hourly figures as CSV with a header line. */
  async export(range: ExportRange): Promise<AsyncGenerator<Buffer>> {
    if (range.from > range.to) throw new DatesReversed(range.from, range.to);
    if (range.restaurantId !== null) await this.restaurants.get(range.restaurantId);
    return this.database.streamCopy(exportHours(range), 'csv, HEADER');
  }
}
