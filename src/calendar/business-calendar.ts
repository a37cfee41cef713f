import { Injectable } from '@nestjs/common';
import { ServerConfig } from '../config/server.config.js';
import { HOURS } from './hour-set.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LAST_MINUTE_MS = HOUR_MS - 60_000;

/** A point in time; a string is ISO 8601. */
export type Time = Date | string | number;

/** A date (YYYY-MM-DD) with what a report of many restaurants need not find out for each. */
export interface CalendarDay {
  readonly date: string;
  readonly dayBefore: string;
  /** 1 for Monday to 7 for Sunday. */
  readonly weekday: number;
  /** Set of the hours that the clock skips where summer time begins. */
  readonly skippedHours: number;
}

/** Tells the time in milliseconds; only the test server provides another clock. */
@Injectable()
export class Clock {
  now(): number {
    return Date.now();
  }
}

/** Tells which day it is where the restaurants are. */
@Injectable()
export class BusinessCalendar {
  /** IANA name of the restaurants' time zone. */
  readonly timeZone: string;
  /** Writes a time as YYYY-MM-DD HH:MM:SS, as the Swedish locale has it. */
  private readonly format: Intl.DateTimeFormat;

  constructor(
    { TIME_ZONE }: ServerConfig,
    private readonly clock: Clock,
  ) {
    this.timeZone = TIME_ZONE;
    this.format = new Intl.DateTimeFormat('sv', {
      timeZone: TIME_ZONE,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  }

  today(): string {
    return this.format.format(this.clock.now()).slice(0, 10);
  }

  yesterday(): string {
    return addDays(this.today(), -1);
  }

  dayOf(date: string): CalendarDay {
    const weekday = new Date(date).getUTCDay() || 7;
    return { date, dayBefore: addDays(date, -1), weekday, skippedHours: this.skippedHours(date) };
  }

  /** Lists the days of a range, both ends included. */
  listDays({ from, to }: { readonly from: string; readonly to: string }): CalendarDay[] {
    return Array.from({ length: daysBetween(from, to) + 1 }, (_, at) =>
      this.dayOf(addDays(from, at)),
    );
  }

  private skippedHours(date: string): number {
    const midnight = Date.parse(`${date}T00:00:00Z`);
    // Clocks are 14 hours ahead of UTC at most, and 12 behind it.
    const before = this.offsetAt(midnight - 14 * HOUR_MS);
    const after = this.offsetAt(midnight + DAY_MS + 12 * HOUR_MS);
    if (!(after > before)) return 0;
    const exists = (local: number): boolean =>
      [before, after].some((offset) => this.offsetAt(local - offset) === offset);
    return HOURS.reduce((set, hour) => {
      const start = midnight + hour * HOUR_MS;
      return exists(start) || exists(start + LAST_MINUTE_MS) ? set : set | (1 << hour);
    }, 0);
  }

  /** Returns how many milliseconds the clock is ahead of UTC at a whole second; NaN in year 10000. */
  private offsetAt(time: number): number {
    return Date.parse(`${this.format.format(time).replace(' ', 'T')}Z`) - time;
  }
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}
