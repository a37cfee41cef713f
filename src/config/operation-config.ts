import { IsBoolean, IsIn } from 'class-validator';
import { Pattern, WholeNumber } from './setting.decorators.js';

/** Settings of processes, metrics and what is kept. */
export class OperationConfig {
  /** TCP port of /metrics for Prometheus; do not expose it. 0: none. */
  @WholeNumber(0, 65535)
  readonly METRICS_PORT: number = 0;

  /** Address of the metrics. */
  readonly METRICS_HOST: string = '127.0.0.1';

  /** Count the restaurants that miss hours of yesterday for /metrics, once a minute; on one instance. */
  @IsBoolean()
  readonly METRICS_MISSING_UPLOADS: boolean = false;

  /** Base URL of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318. Empty: no traces. */
  @Pattern(/^(|https?:\/\/.+)$/, 'must begin with http:// or https://')
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string = '';

  /** Processes on the port; auto: one per core. 1: no supervising process. */
  @Pattern(/^(auto|[1-9]\d{0,2})$/, 'must be auto or a number from 1 to 999')
  readonly WORKERS: string = '1';

  /** Milliseconds of service after SIGTERM while /health/ready responds 503, for load balancers. */
  @WholeNumber(0, 300_000)
  readonly SHUTDOWN_DELAY_MS: number = 0;

  /** Milliseconds that a shutdown then waits for requests. */
  @WholeNumber(0, 300_000)
  readonly SHUTDOWN_TIMEOUT_MS: number = 10_000;

  /** `true`: end with the starting process. A number: end with that one, an ancestor; `npm start` gives its own. */
  @Pattern(/^(true|false|\d{1,10})$/, 'must be true, false or the number of a process')
  readonly EXIT_WITH_PARENT: string = 'false';

  /** Months that `audit prune` keeps events, 12 at least. 0: for ever. */
  @WholeNumber(0, 1200)
  readonly AUDIT_RETENTION_MONTHS: number = 0;

  /** Run pending migrations at start; several instances may start at once. */
  @IsBoolean()
  readonly MIGRATE_ON_START: boolean = true;

  /** Lowest logged level. */
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  readonly LOG_LEVEL: string = 'info';
}
