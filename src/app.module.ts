import {
  type DynamicModule,
  Module,
  type ModuleMetadata,
  type NestApplicationOptions,
  type Provider,
} from '@nestjs/common';
import {
  type AbstractHttpAdapter,
  APP_FILTER,
  APP_GUARD,
  APP_PIPE,
  DiscoveryModule,
} from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AdminModule } from './admin/admin.module.js';
import { AuthModule } from './auth/auth.module.js';
import { JwtAuthGuard } from './auth/tokens/jwt-auth.guard.js';
import type { Clock } from './calendar/business-calendar.js';
import { CalendarModule } from './calendar/calendar.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './health/health.module.js';
import { JsonBodyGuard } from './http/body/json-body.guard.js';
import { ErrorFilter } from './http/requests/error.filter.js';
import { SlotGuard } from './http/requests/slot.guard.js';
import { RequestPipe } from './http/validation/request.pipe.js';
import { RestaurantsModule } from './restaurants/restaurants.module.js';
import { SalesModule } from './sales/sales.module.js';
import { UsersModule } from './users/users.module.js';

/** What a test server or a test hands to the application. */
export interface AppParts {
  readonly clock?: Clock;
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Makes the application in place of NestFactory, so that a test can override providers. */
  readonly create?: CreateApplication;
}

type CreateApplication = (
  root: DynamicModule,
  adapter: AbstractHttpAdapter,
  options: NestApplicationOptions,
) => Promise<NestExpressApplication>;

/** The guards and pipe of every request, in this order and before those of modules; the filter. */
const REQUEST_CHECKS: Provider[] = [
  { provide: APP_GUARD, useExisting: JwtAuthGuard }, // 401
  { provide: APP_GUARD, useClass: JsonBodyGuard }, // 413, 415, 400: parses after the token check
  SlotGuard,
  { provide: APP_GUARD, useExisting: SlotGuard }, // 503: a slow sender takes no slot
  { provide: APP_PIPE, useClass: RequestPipe }, // 413, 400
  { provide: APP_FILTER, useClass: ErrorFilter },
];

@Module({
  imports: [
    UsersModule,
    AuthModule,
    RestaurantsModule,
    SalesModule,
    // a new module goes here
  ],
})
export class AppModule {
  /** Takes the clock of a test server, and modules that a test adds to those of the service. */
  static forRoot(config: Config, { clock, imports = [] }: AppParts = {}): DynamicModule {
    const settings = [ConfigModule.forRoot(config), CalendarModule.forRoot(clock)];
    const nest = [DiscoveryModule, EventEmitterModule.forRoot()];
    const platform = [...settings, ...nest, DatabaseModule, HealthModule, AdminModule];
    return { module: AppModule, imports: [...platform, ...imports], providers: REQUEST_CHECKS };
  }
}
