import { IsOptional } from 'class-validator';
import { WholeNumber } from './setting.decorators.js';

/** Settings that limit what clients may send, and how much at once. */
export class LimitsConfig {
  /** Bytes of the largest request body; a day of 24 records takes about 7,000. */
  @WholeNumber(1024, 10_485_760)
  readonly BODY_LIMIT_BYTES: number = 102_400;

  /**
   * Milliseconds for a whole request to arrive; a slower one gets 408. A client that reads nothing
   * of its response is disconnected within twice as long. A shutdown waits this long for the
   * requests in work.
   */
  @WholeNumber(100, 600_000)
  readonly REQUEST_TIMEOUT_MS: number = 10_000;

  /** Milliseconds that idle connections are kept; longer than a proxy keeps them, commonly 60 s. */
  @WholeNumber(100, 3_600_000)
  readonly KEEP_ALIVE_MS: number = 75_000;

  /** Requests with a token in work at once, and 30 % as many without one; more get 503. */
  @WholeNumber(1, 100_000)
  readonly MAX_IN_FLIGHT: number = 1000;

  /** Open connections of one process; one more is refused. A proxy limits those of a client. */
  @WholeNumber(1, 1_000_000)
  readonly MAX_CONNECTIONS: number = 10_000;

  /** Days that the date of an upload may be ahead of today. Empty: no limit. */
  @IsOptional()
  @WholeNumber(0, 36_500)
  readonly UPLOAD_MAX_FUTURE_DAYS: number | null = null;
}
