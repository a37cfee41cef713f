import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BusinessCalendar, Clock } from './business-calendar.js';
import { TOPICS, type Config } from './config.js';

/** Provides the settings by topic, and the clock. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config, clock = new Clock()): DynamicModule {
    const settings = TOPICS.map((Topic) => ({ provide: Topic, useValue: config }));
    return {
      module: ConfigModule,
      providers: [...settings, { provide: Clock, useValue: clock }, BusinessCalendar],
      exports: [...TOPICS, Clock, BusinessCalendar],
    };
  }
}
