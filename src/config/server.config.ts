import { IsIn, IsISO4217CurrencyCode, IsTimeZone, Matches } from 'class-validator';
import { TrueOrFalse, WholeNumber } from './setting.decorators.js';

/** Settings of the address, and of what the service serves there. */
export class ServerConfig {
  /** Kind of deployment: production (requires DATABASE_URL and JWT_SECRET), development or test. */
  @IsIn(['production', 'development', 'test'])
  readonly NODE_ENV: string = 'development';

  /** TCP port of the service; 0 takes a free one. */
  @WholeNumber(0, 65535)
  readonly PORT: number = 3000;

  /** Address on which the service listens; 0.0.0.0 only behind a proxy that ends TLS. */
  readonly HOST: string = '127.0.0.1';

  /**
   * Proxies whose X-Forwarded-For is trusted, comma-separated: addresses, networks (10.0.0.0/8),
   * loopback, linklocal, uniquelocal; or their number in a row, if clients cannot bypass them.
   */
  readonly TRUST_PROXY: string = '';

  /**
   * Origins, comma-separated, whose pages may call the service: https://office.example, or of apps
   * in a WebView capacitor://localhost, ionic://localhost or null. There are no wildcards.
   */
  @Matches(/^((^|\s*,\s*)(null|[a-z][a-z\d+.-]*:\/\/[^\s,/*A-Z]+))*$/, {
    message: '$property must list origins such as https://office.example, without wildcards',
  })
  readonly CORS_ORIGINS: string = '';

  /** Whether the page for browsers is served at /app/. */
  @TrueOrFalse()
  readonly WEB_APP: boolean = true;

  /** IANA time zone of the restaurants, which decides the date of today. Asked for in production. */
  @IsTimeZone()
  readonly TIME_ZONE: string = 'UTC';

  /**
   * ISO 4217 code of the restaurants' currency: a label, to which nothing is converted. Asked for in
   * production.
   */
  @IsISO4217CurrencyCode({ message: '$property must be a currency of ISO 4217, such as SGD' })
  readonly CURRENCY: string = 'SGD';
}
