import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { OperationConfig } from '../../config/operation.config.js';
import { gauge } from '../../metrics/gauge.js';
import { ReportsService } from './reports.service.js';

/** Counts the restaurants that have not uploaded all of yesterday. */
@Injectable()
export class MissingUploadsGauge {
  constructor(reports: ReportsService, calendar: BusinessCalendar, config: OperationConfig) {
    if (!config.METRICS_MISSING_UPLOADS) return;
    gauge('sales_missing_restaurants', 'Restaurants that miss hours of yesterday', async () => {
      return (await reports.findAllMissing(calendar.yesterday())).length;
    });
  }
}
