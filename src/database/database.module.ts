import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { gauge } from '../metrics/gauge.js';
import { dataSourceOptions, poolOf } from './connections.js';
import { Database } from './database.js';
import { Housekeeping } from './housekeeping.js';
import { ReadTurns } from './read-turns.js';
import { REPORTS, ReportsDatabase } from './reports-database.js';

/** Provides TypeORM's data sources, the first with all entities, and what runs statements. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [DatabaseConfig],
      useFactory: (config: DatabaseConfig) => dataSourceOptions(config),
    }),
    TypeOrmModule.forRootAsync({
      name: REPORTS,
      inject: [DatabaseConfig],
      useFactory: (config: DatabaseConfig) =>
        dataSourceOptions(config, { max: Math.ceil(config.DATABASE_POOL_MAX / 2) }),
    }),
  ],
  providers: [Database, ReportsDatabase, ReadTurns, Housekeeping],
  exports: [Database, ReportsDatabase, ReadTurns, Housekeeping],
})
export class DatabaseModule {
  constructor(dataSource: DataSource) {
    const pool = poolOf(dataSource);
    gauge('database_connections', 'Connections, idle ones included', () => pool.totalCount);
    gauge('database_connections_awaited', 'Calls that wait for one', () => pool.waitingCount);
  }
}
