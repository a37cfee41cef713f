import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { ExpiredRowsRepository } from './expired-rows.repository.js';

const INTERVAL_MS = 600_000;

/** Deletes expired tokens, counters and known addresses. Triggered by logins, which create them. */
@Injectable()
export class HousekeepingService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private due = 0;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: ExpiredRowsRepository,
    private readonly config: AppConfig,
  ) {}

  begin(): void {
    if (performance.now() < this.due) return;
    this.due = performance.now() + INTERVAL_MS;
    this.running = this.clear().catch((error: unknown) =>
      this.logger.warn(`expired rows were not deleted: ${String(error)}`),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async clear(): Promise<void> {
    while (!this.stopping && !(await this.rows.deleteSome(this.config.LOGIN_KNOWN_ADDRESS_DAYS)));
  }
}
