import { IsBoolean, IsIn, IsTimeZone } from 'class-validator';
import { OperationConfig } from './operation-config.js';
import { Pattern, TrustedProxies, WholeNumber } from './setting.decorators.js';

/** Property = environment variable, initial value = default, comment = text in .env.example. */
export class AppConfig extends OperationConfig {
  /** production (requires DATABASE_URL and JWT_SECRET), development or test. */
  @IsIn(['production', 'development', 'test'], { message: 'NODE_ENV must be production, development or test' })
  readonly NODE_ENV: string = 'development';

  /** TCP port; 0 takes a free one. */
  @WholeNumber(0, 65535)
  readonly PORT: number = 3000;

  /** Address to listen on; 0.0.0.0 only behind a TLS proxy. */
  readonly HOST: string = '127.0.0.1';

  /** Address of the service for its clients, `https://sales.example`; in the OpenAPI document. Empty: that of the request. */
  @Pattern(/^(|https?:\/\/[^\s?#]*[^\s?#/])$/, 'must be like https://sales.example, without a slash at its end')
  readonly PUBLIC_URL: string = '';

  /** postgres://user:password@host:port/database. Empty: an embedded PostgreSQL in DATA_DIR, for trials. */
  @Pattern(/^(|postgres(ql)?:\/\/.+)$/, 'must begin with postgres:// or postgresql://')
  readonly DATABASE_URL: string = '';

  /** On Citus: a balancer over the workers, for saving uploads alone. Empty: DATABASE_URL. See docs/scaling.md. */
  @Pattern(/^(|postgres(ql)?:\/\/.+)$/, 'must begin with postgres:// or postgresql://')
  readonly UPLOADS_DATABASE_URL: string = '';

  /** Database connections of one process. */
  @WholeNumber(1, 1000)
  readonly DATABASE_POOL_MAX: number = 8;

  /** Seconds that a start waits for an unreachable database. */
  @WholeNumber(0, 3600)
  readonly DATABASE_WAIT_SECONDS: number = 60;

  /** Named prepared statements. false: for PgBouncer before 1.21 or without max_prepared_statements. */
  @IsBoolean()
  readonly DATABASE_PREPARED_STATEMENTS: boolean = true;

  /** Signs tokens: at least 32 random bytes. Required in production; otherwise generated in DATA_DIR. */
  readonly JWT_SECRET: string = '';

  /** The secret before a rotation; its tokens stay valid until they expire. */
  readonly JWT_PREVIOUS_SECRET: string = '';

  /** bcrypt cost; older hashes are renewed at login. Below 10: only with the embedded database, on a loopback HOST. */
  @WholeNumber(4, 15)
  readonly BCRYPT_COST: number = 12;

  /** Minimum characters of a new password. */
  @WholeNumber(8, 72)
  readonly PASSWORD_MIN_LENGTH: number = 12;

  /** Passwords that one process hashes at once, in low-priority threads. 0: one per core. */
  @WholeNumber(0, 256)
  readonly HASH_THREADS: number = 0;

  /** Logins that may wait for these threads; more get 503. Known addresses have their own queue. */
  @WholeNumber(1, 100_000)
  readonly HASH_QUEUE_MAX: number = 128;

  /** Failed logins within the window that lock one username at one address. */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_MAX_FAILURES: number = 5;

  /** Length of that window. */
  @WholeNumber(1, 31_536_000)
  readonly LOGIN_WINDOW_SECONDS: number = 900;

  /** Duration of a lock. */
  @WholeNumber(1, 31_536_000)
  readonly LOGIN_LOCK_SECONDS: number = 900;

  /** Failed logins from all addresses that lock one username, except at known addresses. */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_USERNAME_MAX_FAILURES: number = 50;
  /** Its window. 0: LOGIN_WINDOW_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_USERNAME_WINDOW_SECONDS: number = 0;
  /** Its duration. 0: LOGIN_LOCK_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_USERNAME_LOCK_SECONDS: number = 0;

  /** Failed logins under all usernames that lock one address (IPv6: /64). */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_ADDRESS_MAX_FAILURES: number = 100;
  /** Its window. 0: LOGIN_WINDOW_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_ADDRESS_WINDOW_SECONDS: number = 0;
  /** Its duration. 0: LOGIN_LOCK_SECONDS. */
  @WholeNumber(0, 31_536_000)
  readonly LOGIN_ADDRESS_LOCK_SECONDS: number = 0;

  /** Days that an address stays known after a login. */
  @WholeNumber(1, 3650)
  readonly LOGIN_KNOWN_ADDRESS_DAYS: number = 30;

  /**
   * Proxies whose X-Forwarded-For is trusted, comma-separated: addresses, networks (10.0.0.0/8), loopback, linklocal,
   * uniquelocal; or their number in a row, if clients cannot bypass them.
   */
  @TrustedProxies()
  readonly TRUST_PROXY: string = '';

  /** Largest request body; a day of 24 records takes about 7,000. */
  @WholeNumber(1024, 10_485_760)
  readonly BODY_LIMIT_BYTES: number = 102_400;

  /** Milliseconds for a whole request to arrive; a slower one gets 408. */
  @WholeNumber(100, 600_000)
  readonly REQUEST_TIMEOUT_MS: number = 10_000;

  /** Milliseconds until a response: limits of statements, locks and logins are parts of it. More: for a slow database. */
  @WholeNumber(1000, 600_000)
  readonly RESPONSE_TIMEOUT_MS: number = 5000;

  /** Milliseconds that idle connections are kept; longer than by a proxy, commonly 60 s. */
  @WholeNumber(100, 3_600_000)
  readonly KEEP_ALIVE_MS: number = 75_000;

  /** Milliseconds without progress until a client that does not read is disconnected. */
  @WholeNumber(100, 600_000)
  readonly SEND_TIMEOUT_MS: number = 20_000;

  /** Requests with a token in work in one process; more get 503. */
  @WholeNumber(1, 100_000)
  readonly MAX_IN_FLIGHT: number = 1000;

  /** The same for requests that need no token. */
  @WholeNumber(1, 100_000)
  readonly MAX_PUBLIC_IN_FLIGHT: number = 300;

  /** Open connections of one process; one more closes the oldest without a request in work. */
  @WholeNumber(1, 1_000_000)
  readonly MAX_CONNECTIONS: number = 10_000;

  /** Those of one address (IPv6: /64); of more, idle ones are closed. Not for trusted proxies. 0: no limit. */
  @WholeNumber(0, 1_000_000)
  readonly MAX_CONNECTIONS_PER_CLIENT: number = 256;

  /** Incomplete requests of one process after a second; the oldest of more get 408. */
  @WholeNumber(1, 1_000_000)
  readonly MAX_INCOMPLETE_REQUESTS: number = 1000;

  /** Those of one address (IPv6: /64). Not for trusted proxies. 0: no limit. */
  @WholeNumber(0, 1_000_000)
  readonly MAX_INCOMPLETE_REQUESTS_PER_CLIENT: number = 64;

  /** Origins, comma-separated, that may call from browsers: `https://office.example`. */
  @Pattern(/^(|https?:\/\/[^\s,/]+(\s*,\s*https?:\/\/[^\s,/]+)*)$/, 'must list origins such as https://office.example')
  readonly CORS_ORIGINS: string = '';

  /** Serve the page for browsers at /app/. */
  @IsBoolean()
  readonly WEB_APP: boolean = true;

  /** IANA time zone of today's date. */
  @IsTimeZone()
  readonly TIME_ZONE: string = 'UTC';

  /** Folder of the embedded database and a generated JWT secret. */
  readonly DATA_DIR: string = '.data';

  /** Add a demo restaurant and user to the embedded database; only with a loopback HOST. */
  @IsBoolean()
  readonly DEMO_DATA: boolean = true;
}
