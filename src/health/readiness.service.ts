import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../calendar/business-calendar.js';
import { readState } from '../database/state.js';
import { serviceError } from '../http/errors/service-error.js';
import { gauge } from '../metrics/gauge.js';

/** Milliseconds that requests share the result of a check: the route is public. */
const CHECK_SHARED_MS = 500;

/** Half of the lifetime of a token, whose end PostgreSQL's clock sets and this machine's checks. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;

class NotReady extends serviceError({
  code: 'not_ready',
  status: 503,
  text: (reason: string) => `not ready: ${reason}`,
  headers: { 'Retry-After': '1' },
}) {}

class ShuttingDown extends serviceError({
  code: 'shutting_down',
  status: 503,
  text: 'not ready: shutting down',
}) {}

/** Says whether the service can work. */
@Injectable()
export class ReadinessService {
  private shuttingDown = false;
  private check: Promise<void> | undefined;
  private clockOffsetMs = NaN;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    gauge('service_ready', '1 if /health/ready responds 200', async () => {
      const [{ status }] = await Promise.allSettled([this.assertReady()]);
      return status === 'fulfilled' ? 1 : 0;
    });
    const help = "Seconds that the database's clock is ahead of this machine's, when last asked";
    gauge('database_clock_offset_seconds', help, async () => {
      await this.assertReady().catch(() => undefined);
      return this.clockOffsetMs / 1000;
    });
  }

  /** Reports the service as not ready, so that load balancers leave before connections close. */
  beginShutdown(): void {
    this.shuttingDown = true;
  }

  async assertReady(): Promise<void> {
    if (this.shuttingDown) throw new ShuttingDown();
    this.check ??= this.checkDatabase().finally(() => {
      setTimeout(() => (this.check = undefined), CHECK_SHARED_MS).unref();
    });
    await this.check;
  }

  private async checkDatabase(): Promise<void> {
    const state = await readState(this.dataSource).catch((error: unknown) => {
      // The driver's messages are not shown: they name hosts and ports.
      throw new NotReady('the database does not answer').causedBy(error);
    });
    if (state.missingMigrations.length > 0)
      throw new NotReady('the database lacks migrations of this release');
    if (!state.isWritable) throw new NotReady('the database is read-only');
    this.clockOffsetMs = state.now - this.clock.now();
    if (Math.abs(this.clockOffsetMs) > MAX_CLOCK_DIFFERENCE_MS)
      throw new NotReady("this machine's clock and the database's are more than an hour apart");
  }
}
