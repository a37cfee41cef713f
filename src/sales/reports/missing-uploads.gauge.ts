import { Injectable } from '@nestjs/common';
import { OperationConfig } from '../../config/operation.config.js';
import { BusinessCalendar } from '../../config/business-calendar.js';
import { gauge } from '../../metrics/gauge.js';
import { ReportsService } from './reports.service.js';

const KEPT_MS = 60_000;

/** Counts, at most once a minute, the restaurants that have not uploaded all of yesterday. */
@Injectable()
export class MissingUploadsGauge {
  constructor(reports: ReportsService, calendar: BusinessCalendar, config: OperationConfig) {
    if (!config.METRICS_MISSING_UPLOADS) return;
    let [countedAt, count] = [-Infinity, Promise.resolve(NaN)];
    gauge('sales_missing_restaurants', 'Restaurants that miss hours of yesterday', () => {
      if (performance.now() - countedAt <= KEPT_MS) return count;
      countedAt = performance.now();
      count = reports.findAllMissing(calendar.yesterday()).then(({ length }) => length);
      return count;
    });
  }
}
