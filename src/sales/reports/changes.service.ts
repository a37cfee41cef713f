import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { listHours } from '../../calendar/hour-set.js';
import { type PageRequest, toPage } from '../../database/page.js';
import { REPORTS, ReportsDatabase } from '../../database/reports-database.js';
import { InvalidRequest } from '../../http/errors/http.errors.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { toJson, totalsOf } from '../fields/figures.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { ChangedHour } from '../sales.entity.js';
import { FIND_CORRECTIONS } from './changes.statements.js';
import { assertSpan, type DateRange, idsOf, selectRestaurants } from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';
import type { UploadId } from './reports-queries.dto.js';

/** Which corrections are listed. */
export interface ChangesFilter {
  readonly userId: number;
  readonly restaurantIds: readonly number[] | undefined;
  /** The days whose figures were replaced. */
  readonly of: DateRange | undefined;
  /** The days on which they were replaced, in TIME_ZONE. */
  readonly made: DateRange | undefined;
}

interface Correction extends UploadId {
  readonly uploadedAt: Date;
  readonly username: string;
  readonly source: string | null;
  /** The set of the hours that it replaced. */
  readonly hours: number;
}

const idOf = ({ restaurantId, date, number }: UploadId) => `${restaurantId}-${date}-${number}`;

/** Lists the uploads that replaced figures. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: ReportsDatabase,
    @InjectRepository(ChangedHour, REPORTS) private readonly history: Repository<ChangedHour>,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /**
   * Returns a page of the uploads that replaced figures as JSON text, the newest first: those of days
   * in a range, those that came in a range of days, or both.
   */
  async readChanges(
    { userId, restaurantIds, of, made }: ChangesFilter,
    { limit, after }: PageRequest<UploadId>,
  ): Promise<string> {
    const ranges = [of, made].filter((range) => range !== undefined);
    const [first] = ranges;
    if (!first) throw new InvalidRequest('from and to, or made_from and made_to, are missing');
    const filter = { ...first, userId, restaurantIds };
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.changes);
    for (const range of ranges) assertSpan(range, restaurants.length, REPORT_LIMITS.changes);
    const position = [after?.restaurantId, after?.date, after?.number];
    const values = [idsOf(restaurants), of?.from, of?.to, limit + 1, ...position];
    values.push(made?.from, made?.to, this.calendar.timeZone);
    const rows = await this.database.run<Correction>(FIND_CORRECTIONS, values);
    const { items, next } = toPage(rows, limit, idOf);
    const nameOf = new Map(restaurants.map(({ id, name }) => [id, name]));
    const changes: object[] = [];
    for (const correction of items)
      changes.push({
        id: idOf(correction),
        restaurant_id: correction.restaurantId,
        name: nameOf.get(correction.restaurantId),
        date: correction.date,
        uploaded_at: correction.uploadedAt,
        username: correction.username,
        source: correction.source,
        hours: listHours(correction.hours),
        ...(await this.readFigures(correction)),
      });
    const { from = null, to = null } = of ?? {};
    const { from: made_from = null, to: made_to = null } = made ?? {};
    return toJson({ from, to, made_from, made_to, changes, next });
  }

  /** Reads what the replaced hours add up to before and after; it is known if that of each is. */
  private async readFigures({ restaurantId, date, number, hours }: Correction) {
    // Citus asks one shard, as the hours are of one day.
    const where = { restaurantId, date, uploadNumber: number, hour: In(listHours(hours)) };
    const replaced = await this.history.find({ where });
    const known = replaced.filter(({ replacedNumber }) => replacedNumber !== null);
    const isKnown = known.length === replaced.length;
    const before = isKnown ? totalsOf(known.map((hour) => hour.before)) : undefined;
    const after = totalsOf(replaced.map((hour) => hour.after));
    const differs = known.map((hour) => [totalsOf([hour.before]), totalsOf([hour.after])] as const);
    const names = SALES_FIELDS.map(({ name }) => name).filter((name) =>
      differs.some(([old, now]) => old[name] !== now[name]),
    );
    return {
      gto_before: before?.gto ?? null,
      gto_after: after.gto,
      fields: names.map((name) => {
        return { name, before: before?.[name] ?? null, after: after[name] };
      }),
    };
  }
}
