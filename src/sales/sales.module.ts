import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { OperationConfig } from '../config/operation.config.js';
import { Database } from '../database/database.js';
import { REPORTS } from '../database/reports-database.js';
import { gauge } from '../metrics/gauge.js';
import { RestaurantsModule } from '../restaurants/restaurants.module.js';
import { UsersModule } from '../users/users.module.js';
import { FileProfile } from './file-profiles/file-profile.entity.js';
import { FileProfilesCommands } from './file-profiles/file-profiles.commands.js';
import { FileProfilesController } from './file-profiles/file-profiles.controller.js';
import { FileProfilesService } from './file-profiles/file-profiles.service.js';
import { ImportCommands } from './import/import.commands.js';
import { ImportService } from './import/import.service.js';
import { LedgerCommands } from './ledger/ledger.commands.js';
import { LedgerService } from './ledger/ledger.service.js';
import { ChangesService } from './reports/changes.service.js';
import { DayTotalsService } from './reports/day-totals.service.js';
import { DaysService } from './reports/days.service.js';
import { ExportsController } from './reports/exports.controller.js';
import { ExportsService } from './reports/exports.service.js';
import { ReportsCommands } from './reports/reports.commands.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsService } from './reports/reports.service.js';
import { TotalsService } from './reports/totals.service.js';
import { HourlySales, LedgerUpload, SalesDay } from './sales.entity.js';
import { createUploadsRepository } from './uploads/distributed/distributed-uploads.repository.js';
import { UploadsController } from './uploads/uploads.controller.js';
import { UploadsRepository } from './uploads/uploads.repository.js';
import { UploadsService } from './uploads/uploads.service.js';

/** Takes the sales of restaurants, reports them, and proves that none was lost. */
@Module({
  imports: [
    TypeOrmModule.forFeature([HourlySales, SalesDay, LedgerUpload, FileProfile]),
    TypeOrmModule.forFeature([LedgerUpload], REPORTS),
    AuditModule,
    RestaurantsModule,
    UsersModule,
  ],
  controllers: [UploadsController, ReportsController, ExportsController, FileProfilesController],
  providers: [
    UploadsService,
    { provide: UploadsRepository, inject: [Database], useFactory: createUploadsRepository },
    DaysService,
    ReportsService,
    ChangesService,
    ExportsService,
    TotalsService,
    DayTotalsService,
    ReportsCommands,
    LedgerService,
    LedgerCommands,
    FileProfilesService,
    FileProfilesCommands,
    ImportService,
    ImportCommands,
  ],
  exports: [UploadsService, ReportsService],
})
export class SalesModule {
  constructor(reports: ReportsService, calendar: BusinessCalendar, config: OperationConfig) {
    if (!config.METRICS_MISSING_UPLOADS) return;
    gauge('sales_missing_restaurants', 'Restaurants that miss hours of yesterday', async () => {
      return (await reports.findAllMissing(calendar.yesterday())).length;
    });
  }
}
