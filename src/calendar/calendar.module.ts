import { type DynamicModule, Global, Module } from '@nestjs/common';
import { BusinessCalendar, Clock } from './business-calendar.js';

/** Provides the clock, and the calendar of the restaurants' time zone. */
@Global()
@Module({})
export class CalendarModule {
  static forRoot(clock = new Clock()): DynamicModule {
    return {
      module: CalendarModule,
      providers: [{ provide: Clock, useValue: clock }, BusinessCalendar],
      exports: [Clock, BusinessCalendar],
    };
  }
}
