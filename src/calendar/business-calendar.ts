import { Injectable } from '@nestjs/common';
import { ServerConfig } from '../config/server.config.js';

const DAY_MS = 86_400_000;

/** A point in time; a string is ISO 8601. */
export type Time = Date | string | number;

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
  /** Writes a date as YYYY-MM-DD, as the Swedish locale has it. */
  private readonly format: Intl.DateTimeFormat;

  constructor(
    { TIME_ZONE }: ServerConfig,
    private readonly clock: Clock,
  ) {
    this.timeZone = TIME_ZONE;
    this.format = new Intl.DateTimeFormat('sv', { timeZone: TIME_ZONE });
  }

  today(): string {
    return this.format.format(this.clock.now());
  }

  yesterday(): string {
    return addDays(this.today(), -1);
  }
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}
