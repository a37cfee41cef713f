import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { SchemaRepository } from '../database/schema-version.js';
import { NotReady, ShuttingDown } from './health.errors.js';

/** A probe learns within this time that the database does not answer. */
const PATIENCE_MS = 1500;
/** For which one look serves all who ask: the route is open, and nobody shall load the database through it. */
const SHARED_MS = 500;
const NOT_MIGRATED = 'the database lacks migrations of this release';

/** Knows whether requests should be sent to this instance. */
@Injectable()
export class ReadinessService {
  private shuttingDown = false;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly schema: SchemaRepository,
  ) {}

  /** From now on the answer is no, so that the load balancer turns to others before connections are closed. */
  beginShutdown(): void {
    this.shuttingDown = true;
  }

  /** Throws `ShuttingDown`, `NotReady`. */
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
    const look = this.indicators.check('database').attempt(async () => {
      const missing = await this.schema.missingMigrations();
      if (missing.length > 0) throw new Error(NOT_MIGRATED);
    });
    return look.withTimeout(PATIENCE_MS).cacheFor(SHARED_MS);
  }
}

/** In our own words: the driver's name hosts and ports, and the route is open. */
function reasonIn({ status, details }: HealthCheckResult): string {
  if (status === 'shutting_down') return 'shutting down';
  return details['database']?.['message'] === NOT_MIGRATED ? NOT_MIGRATED : 'the database does not answer';
}
