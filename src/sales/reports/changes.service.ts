import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { listHours } from '../../calendar/hour-set.js';
import { type PageRequest, toPage } from '../../database/page.js';
import { REPORTS, ReportsDatabase } from '../../database/reports-database.js';
import { InvalidRequest } from '../../http/errors/http.errors.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { UsersService } from '../../users/users.service.js';
import { decimalOf } from '../fields/decimals.js';
import { toJson, totalsOf } from '../fields/figures.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { LedgerUpload } from '../sales.entity.js';
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
  /** The set of the hours that it replaced. */
  readonly hours: number;
}

const idOf = ({ restaurantId, date, number }: UploadId) => `${restaurantId}-${date}-${number}`;

/** Lists the uploads that replaced figures. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: ReportsDatabase,
    @InjectRepository(LedgerUpload, REPORTS) private readonly uploads: Repository<LedgerUpload>,
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
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
    const where = items.map(({ restaurantId, date, number }) => ({ restaurantId, date, number }));
    // TypeORM would find all uploads by an empty list.
    const uploads = where.length === 0 ? [] : await this.uploads.find({ where });
    const uploadOf = new Map(uploads.map((upload) => [idOf(upload), upload]));
    const usernames = await this.users.namesOf(uploads.map(({ userId: id }) => id));
    const changes = items.map((correction) => {
      const upload = uploadOf.get(idOf(correction))!;
      return {
        id: idOf(correction),
        restaurant_id: correction.restaurantId,
        name: nameOf.get(correction.restaurantId),
        date: correction.date,
        uploaded_at: upload.uploadedAt,
        username: usernames.get(upload.userId),
        source: upload.source,
        hours: listHours(correction.hours),
        ...figuresOf(upload, correction.hours),
      };
    });
    const { from = null, to = null } = of ?? {};
    const { from: made_from = null, to: made_to = null } = made ?? {};
    return toJson({ from, to, made_from, made_to, changes, next });
  }
}

/** Says what replaced hours add up to before and after; it is known if that of each is. */
function figuresOf({ changes }: LedgerUpload, hours: number) {
  const replaced = changes.filter(({ hour }) => (hours >> hour) & 1);
  const known = replaced.flatMap(({ before, after }) => (before ? [{ before, after }] : []));
  const isKnown = known.length === replaced.length;
  const before = isKnown ? totalsOf(known.map((hour) => hour.before)) : undefined;
  const after = totalsOf(replaced.map((hour) => hour.after));
  const names = SALES_FIELDS.map(({ name }) => name).filter((name) =>
    known.some((hour) => decimalOf(hour.before[name]) !== decimalOf(hour.after[name])),
  );
  return {
    gto_before: before?.gto ?? null,
    gto_after: after.gto,
    fields: names.map((name) => {
      return { name, before: before?.[name] ?? null, after: after[name] };
    }),
  };
}
