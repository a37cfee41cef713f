import { Module, type DynamicModule } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { AdminModule } from './admin/admin.module.js';
import { AuthModule } from './auth/auth.module.js';
import type { AppConfig } from './config/app-config.js';
import type { Clock } from './config/business-calendar.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { OpenApiModule } from './http/openapi/openapi.module.js';
import { HealthModule } from './health/health.module.js';
import { RestaurantsModule } from './restaurants/restaurants.module.js';
import { SalesModule } from './sales/sales.module.js';
import { FixturesModule } from './testing/fixtures/fixtures.module.js';
import { UsersModule } from './users/users.module.js';

/** `nest generate module` adds features in the decorator. */
@Module({
  imports: [
    UsersModule,
    AuthModule,
    RestaurantsModule,
    SalesModule,
    FixturesModule,
    // a new module goes here
  ],
})
export class AppModule {
  static of(config: AppConfig, clock?: Clock): DynamicModule {
    const platform = [ConfigModule.of(config, clock), DatabaseModule, HealthModule, OpenApiModule, AdminModule];
    return { module: AppModule, imports: [...platform, EventEmitterModule.forRoot()] };
  }
}
