import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { AppConfig } from '../config/app-config.js';
import { SchemaRepository } from '../database/schema-version.js';
import { gauge } from '../metrics/metrics.js';
import { serviceError } from '../http/errors/service-error.js';

/** Of the limit of a response. */
const MAX_SHARE = 0.3;
/** The route is public: requests share a check to spare the database. */
const CHECK_SHARED_MS = 500;
const NOT_MIGRATED = 'the database lacks migrations of this release';

const NotReady = serviceError('not_ready', 503, (reason: string) => `not ready: ${reason}`, {
  'Retry-After': '1',
});

const ShuttingDown = serviceError('shutting_down', 503, 'not ready: shutting down');

@Injectable()
export class ReadinessService {
  private shuttingDown = false;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly schema: SchemaRepository,
    private readonly config: AppConfig,
  ) {
    const isReady = (): Promise<number> => this.assertReady().then(() => 1).catch(() => 0); // prettier-ignore
    gauge('service_ready', '1 if /health/ready responds 200', isReady, 'min');
  }

  /** Load balancers stop sending requests before connections are closed. */
  beginShutdown(): void {
    this.shuttingDown = true;
  }

  async assertReady(): Promise<void> {
    if (this.shuttingDown) throw new ShuttingDown();
    try {
      await this.health.check([() => this.database()]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      throw new NotReady(reasonIn(error.getResponse() as HealthCheckResult));
    }
  }

  private database() {
    const check = this.indicators.check('database').attempt(async () => {
      const missing = await this.schema.missingMigrations();
      if (missing.length > 0) throw new Error(NOT_MIGRATED);
    });
    return check.withTimeout(MAX_SHARE * this.config.RESPONSE_TIMEOUT_MS).cacheFor(CHECK_SHARED_MS);
  }
}

/** Hides the driver's messages, which name hosts and ports. */
function reasonIn({ details }: HealthCheckResult): string {
  return details['database']?.['message'] === NOT_MIGRATED ? NOT_MIGRATED : 'the database does not answer';
}
