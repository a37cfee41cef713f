import { Injectable } from '@nestjs/common';
import { AppConfig } from './app-config.js';

const DAY_MS = 86_400_000;

/** Which day it is where the restaurants are. Days are YYYY-MM-DD, which sort as text. */
@Injectable()
export class BusinessCalendar {
  private readonly format: Intl.DateTimeFormat;

  constructor(private readonly config: AppConfig) {
    this.format = new Intl.DateTimeFormat('en-CA', {
      timeZone: config.TIME_ZONE,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  today(): string {
    return this.format.format(Date.now());
  }

  yesterday(): string {
    return addDays(this.today(), -1);
  }

  /** The last day that an upload may be about; undefined where the operator sets no limit. */
  latestUploadDay(): string | undefined {
    const days = this.config.UPLOAD_MAX_FUTURE_DAYS;
    return days === '' ? undefined : addDays(this.today(), Number(days));
  }
}

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days `to` lies after `from`; negative where before. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}
