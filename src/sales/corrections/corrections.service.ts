import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PageRequest } from '../../database/page.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { idsOf, type ReportFilter, selectRestaurants } from '../reports/report-filter.js';
import { REPORT_LIMITS } from '../reports/report-limits.js';
import type { UploadId } from './changes.dto.js';
import { READ_CHANGES } from './corrections.statements.js';

/** Reads what was changed after it had been uploaded. */
@Injectable()
export class CorrectionsService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** Returns a page of the uploads that replaced figures as JSON text, the newest first. */
  async readChanges(
    filter: ReportFilter,
    { limit, after }: PageRequest<UploadId>,
  ): Promise<string> {
    const { from, to } = filter;
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.changes);
    const position = [after?.restaurantId ?? null, after?.date ?? null, after?.number ?? null];
    const values = [idsOf(restaurants), from, to, limit, ...position];
    const [row] = await this.database.run<{ json: string }>(READ_CHANGES, values);
    return row!.json;
  }
}
