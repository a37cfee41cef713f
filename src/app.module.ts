import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import type { AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { OpenApiModule } from './http/openapi.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { RestaurantsModule } from './restaurants/restaurants.module.js';
import { SalesModule } from './sales/sales.module.js';
import { UsersModule } from './users/users.module.js';

const FEATURES = [UsersModule, AuthModule, RestaurantsModule, SalesModule]; // a new module adds itself here

@Module({})
export class AppModule {
  static of(config: AppConfig): DynamicModule {
    const platform = [ConfigModule.of(config), DatabaseModule, ObservabilityModule, OpenApiModule];
    return { module: AppModule, imports: [...platform, ...FEATURES] };
  }
}
