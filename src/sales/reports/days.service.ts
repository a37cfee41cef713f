import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { closureOn, expectedHours } from '../../calendar/expected-hours.js';
import { listHours } from '../../calendar/hour-set.js';
import { type PageRequest, toPage } from '../../database/page.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { UsersService } from '../../users/users.service.js';
import { figuresOf, toJson, totalsOf } from '../fields/figures.js';
import { LedgerUpload, SalesDay } from '../sales.entity.js';
import type { RestaurantDay } from './reports-queries.dto.js';

/** Reads a day and its uploads back, as JSON text. */
@Injectable()
export class DaysService {
  constructor(
    @InjectRepository(SalesDay) private readonly days: Repository<SalesDay>,
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Returns the records, missing hours and totals of a day. */
  async readDay(userId: number, { restaurantId, date }: RestaurantDay): Promise<string> {
    const [restaurant] = await this.restaurants.assertGranted(userId, restaurantId);
    const [day] = await this.days.find({
      where: { restaurantId, date },
      relations: { records: true },
      order: { records: { hour: 'ASC' } },
    });
    const { uploads = 0, hours = 0, records = [], lastUploadedAt = null } = day ?? {};
    const closure = closureOn(restaurant!, date);
    const expected = expectedHours(restaurant!, this.calendar.dayOf(date));
    return toJson({
      restaurant_id: restaurantId,
      date,
      version: uploads,
      records: records.map((record) => {
        return { restaurant_id: restaurantId, date, hour: record.hour, ...figuresOf(record) };
      }),
      first_day: restaurant!.firstDay,
      closed: closure ? { reason: closure.reason } : null,
      expected_hours: listHours(expected),
      missing_hours: listHours(expected & ~hours),
      totals: totalsOf(records),
      last_uploaded_at: lastUploadedAt,
    });
  }

  /** Returns a page of the uploads of a day, the newest first; `after` is the number of one. */
  async readUploads(
    userId: number,
    { restaurantId, date }: RestaurantDay,
    { limit, after = MAX_INTEGER }: PageRequest<number>,
  ): Promise<string> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const rows = await this.days.manager.find(LedgerUpload, {
      where: { restaurantId, date, number: LessThan(after) },
      order: { number: 'DESC' },
      take: limit + 1,
    });
    const { items, next } = toPage(rows, limit, ({ number }) => number);
    const usernames = await this.users.namesOf(items.map(({ userId: id }) => id));
    const uploads = items.map((upload) => ({
      id: `${restaurantId}-${date}-${upload.number}`,
      uploaded_at: upload.uploadedAt,
      username: usernames.get(upload.userId),
      source: upload.source,
      processed: upload.processed,
      changes: upload.changes,
    }));
    return toJson({ restaurant_id: restaurantId, date, uploads, next });
  }
}
