import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { dataSourceOptions } from './connections.js';
import { Database } from './database.js';
import { Housekeeping } from './housekeeping.js';
import { ReadQueue } from './queued-read.decorator.js';

/** Provides TypeORM's data source with the entities of all modules, and what runs statements. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({ inject: [DatabaseConfig], useFactory: dataSourceOptions }),
  ],
  providers: [Database, Housekeeping, ReadQueue],
  exports: [Database, Housekeeping, ReadQueue],
})
export class DatabaseModule {}
