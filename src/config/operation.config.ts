import { IsIn } from 'class-validator';
import { TrueOrFalse, WholeNumber } from './setting.decorators.js';

/** Settings of the process: logs, metrics, shutdown. */
export class OperationConfig {
  /** Lowest level that is logged: trace, debug, info, warn, error, fatal or silent. */
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  readonly LOG_LEVEL: string = 'info';

  /** TCP port of /metrics for Prometheus; do not expose it. 0: no metrics. */
  @WholeNumber(0, 65535)
  readonly METRICS_PORT: number = 0;

  /** Address on which the metrics are served. */
  readonly METRICS_HOST: string = '127.0.0.1';

  /** Whether /metrics counts restaurants that miss hours of yesterday, for an alert. */
  @TrueOrFalse()
  readonly METRICS_MISSING_UPLOADS: boolean = false;

  /** Milliseconds of service after SIGTERM while /health/ready responds 503, for load balancers. */
  @WholeNumber(0, 300_000)
  readonly SHUTDOWN_DELAY_MS: number = 0;

  /** Whether the service ends when the process that started it has ended; `npm start` sets it. */
  @TrueOrFalse()
  readonly EXIT_WITH_PARENT: boolean = false;

  /** Months that `audit prune` keeps events, 12 at least. 0: forever. */
  @WholeNumber(12, 1200, { orZero: true })
  readonly AUDIT_RETENTION_MONTHS: number = 0;
}
