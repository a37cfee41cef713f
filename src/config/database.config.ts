import { Matches } from 'class-validator';
import { TrueOrFalse, WholeNumber } from './setting.decorators.js';

/** Settings of the database, and of the time that it may take. */
export class DatabaseConfig {
  /** URL, as postgres://user:password@host:port/name. Empty: an embedded database in DATA_DIR. */
  @Matches(/^(|postgres(ql)?:\/\/.+)$/, {
    message: '$property must begin with postgres:// or postgresql://',
  })
  readonly DATABASE_URL: string = '';

  /** Database connections of one process; reports have half as many more. */
  @WholeNumber(2, 1000)
  readonly DATABASE_POOL_MAX: number = 8;

  /** Seconds that a start waits for an unreachable database. */
  @WholeNumber(0, 3600)
  readonly DATABASE_WAIT_SECONDS: number = 60;

  /** Whether statements are prepared. false: for PgBouncer without max_prepared_statements. */
  @TrueOrFalse()
  readonly DATABASE_PREPARED_STATEMENTS: boolean = true;

  /** Milliseconds within which a request is answered; each wait for the database gets a part. */
  @WholeNumber(1000, 600_000)
  readonly RESPONSE_TIMEOUT_MS: number = 5000;

  /** Whether pending migrations run at start; several instances may start at once. */
  @TrueOrFalse()
  readonly MIGRATE_ON_START: boolean = true;

  /** Folder of the embedded database and of a generated JWT_SECRET. */
  readonly DATA_DIR: string = '.data';

  /** Whether the embedded database gets demo restaurants and a user; only with a loopback HOST. */
  @TrueOrFalse()
  readonly DEMO_DATA: boolean = true;
}
