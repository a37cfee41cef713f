import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { UploadNotice } from './upload-notice.entity.js';

/** Takes due notices; whoever takes one has a minute, or longer after each failure, to deliver it. */
const TAKE_DUE = {
  name: 'take_upload_notices',
  text: `
    WITH due AS (
      -- those that another instance takes are skipped
      SELECT restaurant_id, date, number FROM upload_notices
      WHERE next_try_at <= clock_timestamp()
      ORDER BY next_try_at LIMIT $1
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      -- if this process ends before it has delivered them, they are due again
      UPDATE upload_notices AS n
      SET tries = tries + 1,
        next_try_at = clock_timestamp() + 60 * 2 ^ least(tries, 6) * interval '1 second'
      FROM due
      WHERE (n.restaurant_id, n.date, n.number) = (due.restaurant_id, due.date, due.number)
      RETURNING n.restaurant_id, n.date, n.number
    )
    SELECT restaurant_id AS "restaurantId", date::text, number, user_id AS "userId",
      changed_hours AS "changedHours", coalesce(replaced_hours, 0) AS "replacedHours"
    FROM taken JOIN uploads USING (restaurant_id, date, number)
    ORDER BY restaurant_id, date, number`,
};

/** An upload as the ledger has it; the hours are sets. */
export interface NoticedUpload {
  readonly restaurantId: number;
  readonly date: string;
  readonly number: number;
  readonly userId: number;
  readonly changedHours: number;
  readonly replacedHours: number;
}

/** Reads and writes the outbox of the notices. */
@Injectable()
export class UploadNoticesRepository {
  constructor(
    @InjectRepository(UploadNotice) private readonly notices: Repository<UploadNotice>,
    private readonly database: Database,
  ) {}

  takeDue(limit: number): Promise<NoticedUpload[]> {
    return this.database.run<NoticedUpload & Record<string, unknown>>(TAKE_DUE, [limit]);
  }

  async delete({ restaurantId, date, number }: NoticedUpload): Promise<void> {
    await this.notices.delete({ restaurantId, date, number });
  }

  count(): Promise<number> {
    return this.notices.count();
  }
}
