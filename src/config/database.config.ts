import { IsBoolean } from 'class-validator';
import { Pattern, WholeNumber } from './setting.decorators.js';

const POSTGRES_URL = /^(|postgres(ql)?:\/\/.+)$/;

/** Settings of the database, and of the time that it may take. */
export class DatabaseConfig {
  /**
   * Database, as postgres://user:password@host:port/database. Empty: an embedded PostgreSQL in
   * DATA_DIR, for trials.
   */
  @Pattern(POSTGRES_URL, 'must begin with postgres:// or postgresql://')
  readonly DATABASE_URL: string = '';

  /** Database connections of one process. */
  @WholeNumber(2, 1000)
  readonly DATABASE_POOL_MAX: number = 8;

  /** Seconds that a start waits for an unreachable database. */
  @WholeNumber(0, 3600)
  readonly DATABASE_WAIT_SECONDS: number = 60;

  /**
   * Whether statements are prepared by name. false: for PgBouncer before 1.21 or without
   * max_prepared_statements.
   */
  @IsBoolean()
  readonly DATABASE_PREPARED_STATEMENTS: boolean = true;

  /**
   * Milliseconds until a response. The limits of statements, locks and logins are parts of it:
   * raise it for a slow database.
   */
  @WholeNumber(1000, 600_000)
  readonly RESPONSE_TIMEOUT_MS: number = 5000;

  /** Whether pending migrations run at start; several instances may start at once. */
  @IsBoolean()
  readonly MIGRATE_ON_START: boolean = true;

  /** Folder of the embedded database and of a generated JWT_SECRET. */
  readonly DATA_DIR: string = '.data';

  /** Whether the embedded database gets a demo restaurant and user; only with a loopback HOST. */
  @IsBoolean()
  readonly DEMO_DATA: boolean = true;
}
