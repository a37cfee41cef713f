import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { RestaurantsModule } from '../restaurants/restaurants.module.js';
import { ExportCommands } from './export/export.commands.js';
import { ExportRepository } from './export/export.repository.js';
import { ExportService } from './export/export.service.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { LedgerService } from './ledger/ledger.service.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsService } from './reports/reports.service.js';
import { SalesCommands } from './reports/sales.commands.js';
import { UploadsController } from './uploads/uploads.controller.js';
import { UploadsService } from './uploads/uploads.service.js';
import { UploadsRepository } from './uploads/uploads.repository.js';

@Module({
  imports: [AuthModule, RestaurantsModule],
  controllers: [UploadsController, ReportsController],
  providers: [
    UploadsService,
    ReportsService,
    LedgerService,
    ExportService,
    UploadsRepository,
    ReportsRepository,
    LedgerRepository,
    ExportRepository,
    SalesCommands,
    ExportCommands,
  ],
})
export class SalesModule {}
