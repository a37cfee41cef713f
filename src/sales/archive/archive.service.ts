import { createHash, type Hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../../config/business-calendar.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { MonthNotArchivable } from '../sales.errors.js';
import type { ArchivedMonth } from '../sales.entity.js';
import { ArchiveRepository } from './archive.repository.js';

/** Takes past months out of the tables, once they are verified and exported. */
@Injectable()
export class ArchiveService {
  constructor(
    private readonly archives: ArchiveRepository,
    private readonly ledger: LedgerService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Stores the ledger alone: that the figures follow from it is verified before. */
  async archive(
    month: string,
    store: (pieces: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<Pick<ArchivedMonth, 'uploads' | 'sha256'>> {
    if (month >= this.calendar.today().slice(0, 7)) throw new MonthNotArchivable(month, 'it is not over');
    if (!(await this.archives.hasPartitions(month)))
      throw new MonthNotArchivable(month, 'it has no partition of its own');
    const { differences } = await this.ledger.verify();
    if (differences > 0) throw new MonthNotArchivable(month, `sales verify reports ${differences} differences`);
    const uploads = await this.archives.countUploads(month);
    const hash = createHash('sha256');
    await store(hashed(this.archives.copyUploads(month), hash));
    const sha256 = hash.digest('hex');
    if (await this.archives.detach(month, uploads, sha256)) return { uploads, sha256 };
    throw new MonthNotArchivable(month, 'it got uploads meanwhile');
  }
}

async function* hashed(pieces: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
