import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { findMissingMigrations } from '../database/migrate.js';
import { serviceError } from '../http/errors/service-error.js';
import { gauge } from '../metrics/gauge.js';

/** Milliseconds that requests share the result of a check: the route is public. */
const CHECK_SHARED_MS = 500;

const NotReady = serviceError({
  code: 'not_ready',
  status: 503,
  text: (reason: string) => `not ready: ${reason}`,
  headers: { 'Retry-After': '1' },
});

const ShuttingDown = serviceError({
  code: 'shutting_down',
  status: 503,
  text: 'not ready: shutting down',
});

/** Says whether the service can work. */
@Injectable()
export class ReadinessService {
  private shuttingDown = false;
  private check: Promise<void> | undefined;

  constructor(private readonly dataSource: DataSource) {
    gauge('service_ready', '1 if /health/ready responds 200', async () => {
      const [{ status }] = await Promise.allSettled([this.assertReady()]);
      return status === 'fulfilled' ? 1 : 0;
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
    // The driver's messages are not shown: they name hosts and ports.
    const missing = await findMissingMigrations(this.dataSource).catch(() => {
      throw new NotReady('the database does not answer');
    });
    if (missing.length > 0) throw new NotReady('the database lacks migrations of this release');
  }
}
