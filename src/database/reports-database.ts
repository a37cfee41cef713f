import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { Database } from './database.js';

/** The name of the data source of reports. */
export const REPORTS = 'reports';

/** Runs reports on connections of their own, so that they keep none from uploads. */
@Injectable()
export class ReportsDatabase extends Database {
  constructor(@InjectDataSource(REPORTS) dataSource: DataSource, config: DatabaseConfig) {
    super(dataSource, config);
  }
}
