import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { UsersService } from '../../src/users/users.service.js';
import { CashCountAuditor } from './cash-count-auditor.entity.js';

/** Knows which users are auditors of the cash counts. */
@Injectable()
export class CashCountAuditorsService {
  constructor(
    @InjectRepository(CashCountAuditor) private readonly auditors: Repository<CashCountAuditor>,
    private readonly users: UsersService,
  ) {}

  isAuditor(userId: number): Promise<boolean> {
    return this.auditors.existsBy({ userId });
  }

  /** Makes a user an auditor, or takes that back. Throws CommandRejected. */
  async set(username: string, isAuditor: boolean, transaction: EntityManager): Promise<void> {
    const { id: userId } = await this.users.get(username, transaction);
    await transaction.delete(CashCountAuditor, { userId });
    if (isAuditor) await transaction.insert(CashCountAuditor, { userId });
  }
}
