import { Injectable } from '@nestjs/common';
import { daysBetween } from '../../config/business-calendar.js';
import { GrantsService } from '../../restaurants/grants/grants.service.js';
import { writeCursor, type RestaurantDay } from './day-cursor.js';
import { ReportsRepository, type DayFilter, type IncompleteDay, type Page } from './reports.repository.js';
import { DatesReversed, TooManyDays } from '../sales.errors.js';

/** The most days that one question about missing days may span. */
const MAX_DAYS = 92;

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A day of which some hours were not uploaded, or all. */
export interface MissingDay {
  readonly restaurant_id: number;
  readonly name: string;
  readonly date: string;
  readonly status: 'missing' | 'partial';
  readonly missing_hours: number[];
}

/** A page of missing days, and where the next begins; null on the last. */
export interface MissingDays {
  readonly missing: MissingDay[];
  readonly next: string | null;
}

/** Tells what was uploaded, and what was not. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly grants: GrantsService,
  ) {}

  /** One day's records and totals, as JSON text. Throws `RestaurantNotGranted`. */
  async readDay(userId: number, day: RestaurantDay): Promise<string> {
    await this.grants.assertGranted(userId, day.restaurantId);
    return this.reports.readDay(day);
  }

  /** One day's uploads, newest first, and what each changed, as JSON text. Throws `RestaurantNotGranted`. */
  async readUploads(userId: number, day: RestaurantDay, page: Page<number>): Promise<string> {
    await this.grants.assertGranted(userId, day.restaurantId);
    return this.reports.readUploads(day, page);
  }

  /** Throws `DatesReversed`, `TooManyDays`, and `RestaurantNotGranted` where one restaurant is asked for. */
  async findMissing(filter: DayFilter, { limit, after }: Page<RestaurantDay>): Promise<MissingDays> {
    const { from, to, userId, restaurantId } = filter;
    assertOrdered(from, to);
    if (daysBetween(from, to) >= MAX_DAYS) throw new TooManyDays(MAX_DAYS);
    if (userId !== null && restaurantId !== null) await this.grants.assertGranted(userId, restaurantId);
    const found = await this.reports.findMissing(filter, { limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const next = last ? writeCursor({ restaurantId: last.restaurant_id, date: last.date }) : null;
    return { missing: page.map(toMissingDay), next };
  }

  /** Of all restaurants, on one day. */
  async findAllMissing(date: string): Promise<MissingDay[]> {
    const filter = { from: date, to: date, userId: null, restaurantId: null };
    return (await this.reports.findMissing(filter, {})).map(toMissingDay);
  }
}

/** Throws `DatesReversed`. */
export function assertOrdered(from: string, to: string): void {
  if (from > to) throw new DatesReversed(from, to);
}

function toMissingDay({ restaurant_id, name, date, hours }: IncompleteDay): MissingDay {
  const missing_hours = HOURS.filter((hour) => ((hours >> hour) & 1) === 0);
  return { restaurant_id, name, date, status: hours === 0 ? 'missing' : 'partial', missing_hours };
}
