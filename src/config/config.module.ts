import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AppConfig } from './app-config.js';
import { BusinessCalendar, Clock } from './business-calendar.js';

@Global()
@Module({})
export class ConfigModule {
  static of(config: AppConfig, clock = new Clock()): DynamicModule {
    const values = [
      { provide: AppConfig, useValue: config },
      { provide: Clock, useValue: clock },
    ];
    return {
      module: ConfigModule,
      providers: [...values, BusinessCalendar],
      exports: [AppConfig, Clock, BusinessCalendar],
    };
  }
}
