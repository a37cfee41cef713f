import { Injectable } from '@nestjs/common';
import { BusinessCalendar, daysBetween } from '../../config/business-calendar.js';
import { toPage, type PageRequest } from '../../database/page.js';
import { GrantsService } from '../../restaurants/grants/grants.service.js';
import { HOURS_PER_DAY } from '../fields/sales-fields.js';
import { DatesReversed, TooManyDays } from '../sales.errors.js';
import { writeCursor, type RestaurantDay } from './day-cursor.js';
import type { CalendarResponse, DayMissing, MissingResponse } from './dto/reports-responses.dto.js';
import { ReportsRepository, type IncompleteDay, type ReportFilter } from './reports.repository.js';
import { WideReads } from './wide-reads.js';

const MAX_DAYS = 92;
const MAX_OVERVIEW_DAYS = 62;

/** Restaurants times days; see docs/performance.md#totals */
const MAX_TOTALED_DAYS = 40_000;

const HOURS = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour);

/** Reads sales back: days, uploads, missing days, calendar and totals. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly grants: GrantsService,
    private readonly calendar: BusinessCalendar,
    private readonly wideReads: WideReads,
  ) {}

  /** Returns JSON text. */
  async readDay(userId: number, day: RestaurantDay): Promise<string> {
    await this.grants.assertGranted(userId, day.restaurantId);
    return this.reports.readDay(day);
  }

  /** Returns JSON text. */
  async readUploads(userId: number, day: RestaurantDay, page: PageRequest<number>): Promise<string> {
    await this.grants.assertGranted(userId, day.restaurantId);
    return this.reports.readUploads(day, page);
  }

  async findMissing(filter: ReportFilter, { limit, after }: PageRequest<RestaurantDay>): Promise<MissingResponse> {
    await this.assertReadable(filter, MAX_DAYS);
    const found = await this.reports.findMissing(filter, { limit: limit + 1, after });
    const { items, next } = toPage(found, limit, cursorOf);
    return { from: filter.from, to: filter.to, missing: items.map(toMissingDay), next };
  }

  async readCalendar(filter: ReportFilter, { limit, after }: PageRequest<number>): Promise<CalendarResponse> {
    await this.assertReadable(filter, MAX_OVERVIEW_DAYS);
    const page = { limit: limit + 1, after };
    const read = () => this.reports.readCalendar(filter, this.calendar.today(), page);
    const found = await this.wideReads.run(filter.userId, read);
    const { items: restaurants, next } = toPage(found, limit, (row) => row.restaurant_id);
    return { from: filter.from, to: filter.to, restaurants, next };
  }

  /** Returns JSON text. */
  async readTotals(filter: ReportFilter): Promise<string> {
    await this.assertReadable(filter, MAX_OVERVIEW_DAYS);
    const { userId, from, to, restaurantIds } = filter;
    const count = (restaurantIds ?? (await this.grants.listGranted(userId))).length;
    assertRange(from, to, Math.max(1, Math.floor(MAX_TOTALED_DAYS / count)));
    return this.wideReads.run(userId, () => this.reports.readTotals(filter));
  }

  private async assertReadable({ userId, from, to, restaurantIds }: ReportFilter, maxDays: number): Promise<void> {
    assertRange(from, to, maxDays);
    if (restaurantIds) await this.grants.assertGranted(userId, ...restaurantIds);
  }

  async findAllMissing(date: string): Promise<DayMissing[]> {
    return (await this.reports.findMissing({ userId: null, from: date, to: date }, {})).map(toMissingDay);
  }
}

function assertRange(from: string, to: string, maxDays: number): void {
  if (from > to) throw new DatesReversed(from, to);
  if (daysBetween(from, to) >= maxDays) throw new TooManyDays(maxDays);
}

function cursorOf({ restaurant_id: restaurantId, date }: IncompleteDay): string {
  return writeCursor({ restaurantId, date });
}

function toMissingDay({ hours, ...day }: IncompleteDay): DayMissing {
  const missing_hours = HOURS.filter((hour) => ((hours >> hour) & 1) === 0);
  return { ...day, status: hours === 0 ? 'missing' : 'partial', missing_hours };
}
