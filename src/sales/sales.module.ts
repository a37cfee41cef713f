import { Module } from '@nestjs/common';
import { RestaurantsModule } from '../restaurants/restaurants.module.js';
import { ExportCommands } from './export.commands.js';
import { ExportRepository } from './export.repository.js';
import { ExportService } from './export.service.js';
import { LedgerRepository } from './ledger.repository.js';
import { LedgerService } from './ledger.service.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';
import { SalesCommands } from './sales.commands.js';
import { SalesController } from './sales.controller.js';
import { SalesService } from './sales.service.js';
import { UploadsRepository } from './uploads.repository.js';

@Module({
  imports: [RestaurantsModule],
  controllers: [SalesController, ReportsController],
  providers: [
    SalesService,
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
