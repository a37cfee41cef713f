import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { Database } from '../../database/database.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { UsersService } from '../../users/users.service.js';
import { LIST_UPLOADS, VERIFY_LEDGER } from './ledger.statements.js';

/** One side of a difference: what is stored, or what the ledger says; null if it has nothing. */
export type Values = Readonly<Record<string, number | string | null>> | null;

interface Difference {
  readonly restaurant_id: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** The hour, or null for the day's row, whose `hours` has one bit per hour. */
  readonly hour: number | null;
  readonly stored: Values;
  readonly ledger: Values;
}

export interface Verification {
  readonly days: number;
  readonly differences: number;
  /** The first of the differences. */
  readonly reported: readonly Difference[];
}

/** Which uploads are listed. Days are YYYY-MM-DD, both included, in TIME_ZONE. */
export interface UploadFilter {
  readonly restaurant?: number;
  readonly user?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

/** An upload with its columns by name; hours are lists. */
export type ListedUpload = Readonly<
  Record<string, string | number | Date | readonly number[] | null>
>;

/** Reads the ledger of uploads, and compares the stored figures with it. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Lists uploads, the newest first; throws an error for an unknown restaurant or user. */
  async list({ restaurant, user, ...filter }: UploadFilter): Promise<ListedUpload[]> {
    const { since = '0001-01-01', until = '9999-12-31', limit } = filter;
    const restaurantId =
      restaurant === undefined ? null : (await this.restaurants.get(restaurant)).id;
    const userId = user === undefined ? null : (await this.users.get(user)).id;
    const values = [restaurantId, userId, since, until, this.calendar.timeZone, limit];
    const uploads: ListedUpload[] = [];
    for await (const upload of this.database.streamRows<ListedUpload>(LIST_UPLOADS, values))
      uploads.push(upload);
    return uploads;
  }

  /** Compares every day; uploads may continue meanwhile. */
  async verify(): Promise<Verification> {
    const rows = this.database.streamRows<Verification>(VERIFY_LEDGER, []);
    for await (const verification of rows) return verification; // closes the connection too
    throw new Error('the ledger was not verified');
  }
}
