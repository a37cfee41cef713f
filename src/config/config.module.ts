import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AppConfig } from './app-config.js';
import { BusinessCalendar } from './business-calendar.js';

@Global()
@Module({})
export class ConfigModule {
  static of(config: AppConfig): DynamicModule {
    const providers = [{ provide: AppConfig, useValue: config }, BusinessCalendar];
    return { module: ConfigModule, providers, exports: [AppConfig, BusinessCalendar] };
  }
}
