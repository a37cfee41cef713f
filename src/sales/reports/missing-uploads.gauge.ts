import { Injectable } from '@nestjs/common';
import { OperationConfig } from '../../config/operation.config.js';
import { BusinessCalendar } from '../../config/business-calendar.js';
import { gauge } from '../../metrics/gauge.js';
import { ReportsService } from './reports.service.js';

const KEPT_MS = 60_000;

/** Counts for the metrics, at most once a minute, the restaurants that have not uploaded all of yesterday. */
@Injectable()
export class MissingUploadsGauge {
  private countedAt = -Infinity;
  private count = Promise.resolve(NaN);

  constructor(
    private readonly reports: ReportsService,
    private readonly calendar: BusinessCalendar,
    config: OperationConfig,
  ) {
    if (config.METRICS_MISSING_UPLOADS)
      gauge('sales_missing_restaurants', 'Restaurants that miss hours of yesterday', () =>
        this.read(),
      );
  }

  private read(): Promise<number> {
    if (performance.now() - this.countedAt > KEPT_MS) {
      this.countedAt = performance.now();
      const missing = this.reports.findAllMissing(this.calendar.yesterday());
      this.count = missing.then(({ length }) => length);
    }
    return this.count;
  }
}
