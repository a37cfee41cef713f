import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppConfig } from '../config/app-config.js';
import { connectionOptions } from './connection-options.js';
import { Database } from './database.js';
import { SchemaRepository } from './schema.repository.js';
import { Streams } from './streams.js';

/** One connection pool for the whole service: TypeORM's repositories and the prepared statements share it. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        ...connectionOptions(config),
        autoLoadEntities: true,
        retryAttempts: 3,
        retryDelay: 500,
      }),
    }),
  ],
  providers: [Database, SchemaRepository, Streams],
  exports: [Database, SchemaRepository, Streams],
})
export class DatabaseModule {}
