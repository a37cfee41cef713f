import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
} from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { findMissingMigrations } from '../database/migrate.js';
import { gauge } from '../metrics/gauge.js';
import { serviceError } from '../http/errors/service-error.js';

/** Fraction of RESPONSE_TIMEOUT_MS that a check may take. */
const MAX_SHARE = 0.3;
/** Milliseconds within which requests share a check: the route is public. */
const CHECK_SHARED_MS = 500;
const NOT_MIGRATED = 'the database lacks migrations of this release';

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

@Injectable()
export class ReadinessService {
  private shuttingDown = false;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly dataSource: DataSource,
    private readonly config: DatabaseConfig,
  ) {
    const isReady = (): Promise<number> => this.assertReady().then(() => 1).catch(() => 0); // prettier-ignore
    gauge('service_ready', '1 if /health/ready responds 200', isReady);
  }

  /** Reports the service as not ready, so that load balancers leave before connections close. */
  beginShutdown(): void {
    this.shuttingDown = true;
  }

  async assertReady(): Promise<void> {
    if (this.shuttingDown) throw new ShuttingDown();
    try {
      await this.health.check([() => this.checkDatabase()]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      throw new NotReady(reasonIn(error.getResponse() as HealthCheckResult));
    }
  }

  private checkDatabase() {
    const check = this.indicators.check('database').attempt(async () => {
      const missing = await findMissingMigrations(this.dataSource);
      if (missing.length > 0) throw new Error(NOT_MIGRATED);
    });
    return check.withTimeout(MAX_SHARE * this.config.RESPONSE_TIMEOUT_MS).cacheFor(CHECK_SHARED_MS);
  }
}

/** Hides the driver's messages, which name hosts and ports. */
function reasonIn({ details }: HealthCheckResult): string {
  return details['database']?.['message'] === NOT_MIGRATED
    ? NOT_MIGRATED
    : 'the database does not answer';
}
