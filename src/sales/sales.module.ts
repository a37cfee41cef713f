import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExportModule } from './export/export.module.js';
import { ImportModule } from './import/import.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { HourlySales, LedgerUpload, SalesDay } from './sales.entity.js';
import { UploadsModule } from './uploads/uploads.module.js';

/** Provides the tables of sales, and the modules around them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([HourlySales, SalesDay, LedgerUpload]),
    UploadsModule,
    ReportsModule,
    LedgerModule,
    ExportModule,
    ImportModule,
  ],
  exports: [UploadsModule, ReportsModule],
})
export class SalesModule {}
