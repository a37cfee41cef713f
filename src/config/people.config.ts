import { IsIn, Matches } from 'class-validator';
import { TrueOrFalse, WholeNumber } from './setting.decorators.js';

/** Matches https, and http on loopback, where nobody listens in. */
const SAFE_URL =
  /^(|https:\/\/[^\s?#]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/[^\s?#]*)?)$/;

/** Settings of how people sign in; tills log in with a name and a password. */
export class PeopleConfig {
  /** Second factor of people with a password: off, offered, or required of all restaurants' users. */
  @IsIn(['off', 'offered', 'required'])
  readonly SECOND_FACTOR: string = 'off';

  /** Encrypts the secrets of second factors; 32 random bytes or more. Never change it. */
  readonly SECOND_FACTOR_KEY: string = '';

  /** OpenID Connect provider of the company, as https://login.example/tenant. Empty: none. */
  @Matches(SAFE_URL, { message: '$property must be an https address without a query' })
  readonly COMPANY_LOGIN_ISSUER: string = '';

  /** The client that the provider has registered for this service. */
  readonly COMPANY_LOGIN_CLIENT_ID: string = '';

  /** Secret of that client. */
  readonly COMPANY_LOGIN_CLIENT_SECRET: string = '';

  /** The registered redirect address: the page, as https://sales.example/app/. */
  @Matches(SAFE_URL, { message: '$property must be an https address without a query' })
  @Matches(/^$|\/app\/$/, { message: '$property must end in /app/' })
  readonly COMPANY_LOGIN_PAGE: string = '';

  /** Claim that names the account of `user link`; email counts only with email_verified. */
  readonly COMPANY_LOGIN_CLAIM: string = 'email';

  /** Whether people with a company account may log in with their password as well. */
  @TrueOrFalse()
  readonly COMPANY_LOGIN_AND_PASSWORDS: boolean = true;

  /** Minutes without key, pointer or touch after which the page signs out. */
  @WholeNumber(1, 1440)
  readonly SIGN_OUT_MINUTES: number = 30;
}
