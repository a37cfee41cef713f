import { IsBoolean, IsIn, IsTimeZone, Matches } from 'class-validator';
import { TrustedProxies, WholeNumber } from './setting.decorators.js';

/** Every setting: property = environment variable, initial value = default, comment = text in .env.example. */
export class AppConfig {
  /** production, development or test. production requires DATABASE_URL and JWT_SECRET. */
  @IsIn(['production', 'development', 'test'], { message: 'NODE_ENV must be production, development or test' })
  readonly NODE_ENV: string = 'development';

  /** TCP port of the service; 0 takes a free one. */
  @WholeNumber(0, 65535)
  readonly PORT: number = 3000;

  /** Address to listen on. The default accepts connections from this machine only. 0.0.0.0: use a TLS proxy in front. */
  readonly HOST: string = '127.0.0.1';

  /** postgres://user:password@host:port/database. Empty: an embedded PostgreSQL in DATA_DIR, for trying it out. */
  @Matches(/^(|postgres(ql)?:\/\/.+)$/, { message: 'DATABASE_URL must begin with postgres:// or postgresql://' })
  readonly DATABASE_URL: string = '';

  /** Database connections of one process. */
  @WholeNumber(1, 1000)
  readonly DATABASE_POOL_MAX: number = 8;

  /** Seconds that a start waits for a database that cannot be reached. */
  @WholeNumber(0, 3600)
  readonly DATABASE_WAIT_SECONDS: number = 60;

  /** Prepare statements by name. false: for a PgBouncer before 1.21, or one without max_prepared_statements. */
  @IsBoolean()
  readonly DATABASE_PREPARED_STATEMENTS: boolean = true;

  /** Signs the tokens: at least 32 random bytes. Required in production; otherwise generated and kept in DATA_DIR. */
  readonly JWT_SECRET: string = '';

  /** The secret before the last rotation; its tokens stay valid until they expire. Empty: none. */
  readonly JWT_PREVIOUS_SECRET: string = '';

  /**
   * bcrypt cost of new password hashes; each step doubles the work. Older hashes are renewed at the next login. Below 10:
   * only with the embedded database, on a loopback HOST.
   */
  @WholeNumber(4, 15)
  readonly BCRYPT_COST: number = 12;

  /** Minimum length of a new password in characters; passwords set earlier stay valid. */
  @WholeNumber(8, 72)
  readonly PASSWORD_MIN_LENGTH: number = 12;

  /** Passwords hashed or compared at once by one process, each in a thread of low priority. 0: one for each core. */
  @WholeNumber(0, 256)
  readonly HASH_THREADS: number = 0;

  /** Logins that may wait for these threads; more get 503. Logins from known addresses have a queue of their own. */
  @WholeNumber(1, 100_000)
  readonly HASH_QUEUE_MAX: number = 128;

  /** Failed logins of one username from one address within the window before the pair is locked. */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_MAX_FAILURES: number = 5;

  /** Seconds in which failed logins are counted together. */
  @WholeNumber(1, 31_536_000)
  readonly LOGIN_WINDOW_SECONDS: number = 900;

  /** Seconds for which a lock lasts. */
  @WholeNumber(1, 31_536_000)
  readonly LOGIN_LOCK_SECONDS: number = 900;

  /** Failed logins of one username from all addresses within the window before it is locked except at known ones. */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_USERNAME_MAX_FAILURES: number = 50;

  /** The window of that limit in seconds. 0: LOGIN_WINDOW_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_USERNAME_WINDOW_SECONDS: number = 0;

  /** Seconds for which that lock lasts. 0: LOGIN_LOCK_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_USERNAME_LOCK_SECONDS: number = 0;

  /** Failed logins from one address (IPv6: one /64) under all usernames within the window before it is locked. */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_ADDRESS_MAX_FAILURES: number = 100;

  /** The window of that limit in seconds. 0: LOGIN_WINDOW_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_ADDRESS_WINDOW_SECONDS: number = 0;

  /** Seconds for which that lock lasts. 0: LOGIN_LOCK_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_ADDRESS_LOCK_SECONDS: number = 0;

  /** Days for which an address stays known after a login. */
  @WholeNumber(1, 3650)
  readonly LOGIN_KNOWN_ADDRESS_DAYS: number = 30;

  /**
   * Proxies whose X-Forwarded-For is trusted: a comma-separated list of addresses, networks (10.0.0.0/8), loopback,
   * linklocal and uniquelocal; or the number of proxies in a row, where clients cannot bypass them. Empty: none.
   */
  @TrustedProxies()
  readonly TRUST_PROXY: string = '';

  /** Largest request body in bytes; a day of 24 records takes about 7,000. */
  @WholeNumber(1024, 10_485_760)
  readonly BODY_LIMIT_BYTES: number = 102_400;

  /** Milliseconds within which a whole request must arrive, headers and body; a slower one gets 408. */
  @WholeNumber(100, 600_000)
  readonly REQUEST_TIMEOUT_MS: number = 10_000;

  /** Milliseconds for which an idle connection is kept; longer than a proxy in front keeps it, commonly 60 s. */
  @WholeNumber(100, 3_600_000)
  readonly KEEP_ALIVE_MS: number = 75_000;

  /** Milliseconds without progress after which a client that does not read its responses is disconnected. */
  @WholeNumber(100, 600_000)
  readonly SEND_TIMEOUT_MS: number = 20_000;

  /** Requests with a token that one process works on at once; further ones are answered 503 at once. */
  @WholeNumber(1, 100_000)
  readonly MAX_IN_FLIGHT: number = 1000;

  /** The same for requests that need no token, such as logins. */
  @WholeNumber(1, 100_000)
  readonly MAX_PUBLIC_IN_FLIGHT: number = 300;

  /** Open connections of one process. For a further one the oldest without a request in work is closed. */
  @WholeNumber(1, 1_000_000)
  readonly MAX_CONNECTIONS: number = 10_000;

  /** Those of one client address (IPv6: one /64); of more, idle ones are closed. Not for trusted proxies. 0: no limit. */
  @WholeNumber(0, 1_000_000)
  readonly MAX_CONNECTIONS_PER_CLIENT: number = 256;

  /** Requests of one process that have not arrived completely after a second; the oldest of more are answered 408. */
  @WholeNumber(1, 1_000_000)
  readonly MAX_INCOMPLETE_REQUESTS: number = 1000;

  /** Those of one client address (IPv6: one /64). Not for trusted proxies. 0: no limit. */
  @WholeNumber(0, 1_000_000)
  readonly MAX_INCOMPLETE_REQUESTS_PER_CLIENT: number = 64;

  /** TCP port on which Prometheus reads /metrics. 0 or empty: none. Must not be reachable from outside. */
  @WholeNumber(0, 65535)
  readonly METRICS_PORT: number = 0;

  /** Address of the metrics. The default accepts connections from this machine only. */
  readonly METRICS_HOST: string = '127.0.0.1';

  /** Origins, comma-separated, whose pages may call the service from a browser: `https://office.example`. Empty: none. */
  @Matches(/^(|https?:\/\/[^\s,/]+(\s*,\s*https?:\/\/[^\s,/]+)*)$/, {
    message: 'CORS_ORIGINS must list origins such as https://office.example, with nothing after the host and port',
  })
  readonly CORS_ORIGINS: string = '';

  /** Processes that serve on the same port; auto: one for each core. 1: no supervising process. */
  @Matches(/^(auto|[1-9]\d{0,2})$/, { message: 'WORKERS must be auto or a number from 1 to 999' })
  readonly WORKERS: string = '1';

  /** Milliseconds after SIGTERM for which requests are still served while /health/ready responds 503, for load balancers. */
  @WholeNumber(0, 300_000)
  readonly SHUTDOWN_DELAY_MS: number = 0;

  /** Milliseconds that a shutdown then waits for requests in flight. */
  @WholeNumber(0, 300_000)
  readonly SHUTDOWN_TIMEOUT_MS: number = 10_000;

  /**
   * `true`: end when the process that started the service has ended, whatever ended it, for test suites. A number: end
   * when that process is not the parent. `npm start` gives its own.
   */
  @Matches(/^(true|false|\d{1,10})$/, { message: 'EXIT_WITH_PARENT must be true, false or the number of a process' })
  readonly EXIT_WITH_PARENT: string = 'false';

  /** Days that an upload's date may be ahead of today (in TIME_ZONE). Empty: no limit. */
  @Matches(/^\d{0,5}$/, { message: 'UPLOAD_MAX_FUTURE_DAYS must be a whole number or empty' })
  readonly UPLOAD_MAX_FUTURE_DAYS: string = '';

  /** IANA time zone that decides which day is today and yesterday. */
  @IsTimeZone()
  readonly TIME_ZONE: string = 'UTC';

  /** Folder of the embedded database and of a generated JWT secret. */
  readonly DATA_DIR: string = '.data';

  /** Run pending migrations at start; several instances may start at once. */
  @IsBoolean()
  readonly MIGRATE_ON_START: boolean = true;

  /** Lowest level that is logged. */
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  readonly LOG_LEVEL: string = 'info';
}
