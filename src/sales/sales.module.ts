import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { provideSettings } from '../config/feature-settings.js';
import { RestaurantsModule } from '../restaurants/restaurants.module.js';
import { UsersModule } from '../users/users.module.js';
import { ArchiveCommands } from './archive/archive.commands.js';
import { ArchiveRepository } from './archive/archive.repository.js';
import { ArchiveService } from './archive/archive.service.js';
import { ExportCommands } from './export/export.commands.js';
import { ExportRepository } from './export/export.repository.js';
import { ExportService } from './export/export.service.js';
import { ImportCommands } from './import/import.commands.js';
import { ImportService } from './import/import.service.js';
import { MachinesController } from './import/machines.controller.js';
import { MachinesRepository } from './import/machines.repository.js';
import { MachinesService } from './import/machines.service.js';
import { LedgerCommands } from './ledger/ledger.commands.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { LedgerService } from './ledger/ledger.service.js';
import { MissingUploadsGauge } from './reports/missing-uploads.gauge.js';
import { ReportsCommands } from './reports/reports.commands.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsService } from './reports/reports.service.js';
import { ShardedUploadsRepository } from './uploads/sharded-uploads.repository.js';
import { WideReads } from './reports/wide-reads.js';
import { ArchivedMonth, HourlySales, LedgerUpload, SalesDay, UserMachines } from './sales.entity.js';
import { UploadsController } from './uploads/uploads.controller.js';
import { UploadsConfig } from './uploads/uploads.config.js';
import { UploadsRepository } from './uploads/uploads.repository.js';
import { UploadsService } from './uploads/uploads.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([HourlySales, SalesDay, LedgerUpload, ArchivedMonth, UserMachines]),
    AuditModule,
    AuthModule,
    RestaurantsModule,
    UsersModule,
  ],
  controllers: [UploadsController, ReportsController, MachinesController],
  providers: [
    ...[UploadsService, provideSettings(UploadsConfig), UploadsRepository, ShardedUploadsRepository],
    ...[ReportsService, ReportsRepository, WideReads, ReportsCommands, MissingUploadsGauge],
    ...[LedgerService, LedgerRepository, LedgerCommands],
    ...[MachinesService, MachinesRepository, ImportService, ImportCommands],
    ...[ArchiveService, ArchiveRepository, ArchiveCommands],
    ...[ExportService, ExportRepository, ExportCommands],
  ],
  exports: [UploadsService, ReportsService],
})
export class SalesModule {}
