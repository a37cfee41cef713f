import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AppConfig } from './app-config.js';
import { BusinessCalendar } from './business-calendar.js';

/** Gives every module the one `AppConfig` that the program was started with, and the calendar that follows from it. */
@Global()
@Module({})
export class ConfigModule {
  static of(config: AppConfig): DynamicModule {
    const providers = [{ provide: AppConfig, useValue: config }, BusinessCalendar];
    return { module: ConfigModule, providers, exports: [AppConfig, BusinessCalendar] };
  }
}
