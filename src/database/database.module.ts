import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppConfig } from '../config/app-config.js';
import { dataSourceOptions } from './connections.js';
import { Database } from './database.js';
import { Housekeeping } from './housekeeping.js';
import { SchemaRepository } from './schema-version.js';

/** One pool, which TypeORM's repositories share. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        ...dataSourceOptions(config),
        autoLoadEntities: true,
        retryAttempts: 3,
        retryDelay: 500,
      }),
    }),
  ],
  providers: [Database, Housekeeping, SchemaRepository],
  exports: [Database, Housekeeping, SchemaRepository],
})
export class DatabaseModule {}
