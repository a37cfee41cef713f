import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { ExpiredRowsRepository } from './expired-rows.repository.js';

const INTERVAL_MS = 600_000;

/** Clears away expired tokens, counters and addresses: logins drive it, so there is no timer, and rows only come by logins. */
@Injectable()
export class HousekeepingService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private due = 0;
  private stopping = false;
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: ExpiredRowsRepository,
    private readonly config: AppConfig,
  ) {}

  /** Begins, at most every ten minutes; nobody waits for it, and nobody's login fails with it. */
  begin(): void {
    if (performance.now() < this.due) return;
    this.due = performance.now() + INTERVAL_MS;
    this.underWay = this.clear().catch((error: unknown) =>
      this.logger.warn(`rows were not cleared away: ${String(error)}`),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.underWay;
  }

  private async clear(): Promise<void> {
    while (!this.stopping && !(await this.rows.deleteSome(this.config.LOGIN_KNOWN_ADDRESS_DAYS)));
  }
}
