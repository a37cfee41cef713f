import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../../calendar/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import { PeopleConfig } from '../../config/people.config.js';
import { InvalidRequest, Overloaded } from '../../http/errors/http.errors.js';
import { signingKeyOf } from '../tokens/jwt.strategy.js';
import type { BeginCompanyLoginResponse } from './company.dto.js';
import {
  CompanyLoginIncomplete,
  CompanyLoginNotOffered,
  CompanyProviderAway,
} from './company.errors.js';

/** Seconds of each call: three of them stay below the time within which a request is answered. */
const REQUEST_SECONDS = 1.4;
/** What the provider publishes is read again after an hour. */
const METADATA_MS = 3_600_000;
/** Seconds by which the clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_EXCHANGES = 20;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** It has no prompt `login`, but asks which account. */
const GOOGLE = 'https://accounts.google.com';
/** Tells what a tab keeps while its person signs in from an access token. */
const TICKET_AUDIENCE = 'company login';
const TICKET_SECONDS = 600;

/** What has to come back with an answer of the provider. */
type LoginSecrets = Readonly<Record<'state' | 'nonce' | 'verifier', string>>;

/** Who signed in at the provider. */
export interface CompanyIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The value of COMPANY_LOGIN_CLAIM in lower case, if there is one. */
  readonly account?: string | undefined;
  /** Whether the provider says of an address that it has not verified it. */
  readonly isUnverified?: boolean;
}

type Provider = Awaited<ReturnType<typeof discover>>;

/** Talks to the company's OpenID Connect provider. */
@Injectable()
export class CompanyProviderService {
  private known: Promise<Provider> | undefined;
  private knownUntil = 0;
  private exchanges = 0;

  constructor(
    private readonly config: PeopleConfig,
    private readonly loginConfig: LoginConfig,
    private readonly jwt: JwtService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns where a browser signs in, and signed what is compared once it is back. Its tab keeps
   * that, so that no instance has a session: an answer is worth nothing in another browser.
   */
  async begin(asksAnew: boolean): Promise<BeginCompanyLoginResponse> {
    const { library, client } = await this.discovered();
    const [state, nonce] = [library.randomState(), library.randomNonce()];
    const verifier = library.randomPKCECodeVerifier();
    const { response_modes_supported: modes = [] } = client.serverMetadata();
    const url = library.buildAuthorizationUrl(client, {
      redirect_uri: this.config.COMPANY_LOGIN_PAGE,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // A fragment is not sent to any server, so that no log has the code.
      ...(modes.includes('fragment') && { response_mode: 'fragment' }),
      ...(asksAnew && {
        prompt: this.config.COMPANY_LOGIN_ISSUER === GOOGLE ? 'select_account' : 'login',
      }),
    });
    const exp = Math.floor(this.clock.now() / 1000) + TICKET_SECONDS;
    const login = this.jwt.sign({ aud: TICKET_AUDIENCE, state, nonce, verifier, exp });
    return { authorization_url: url.href, login };
  }

  /** Redeems the code of an answer. */
  async complete(ticket: string, answer: string): Promise<CompanyIdentity> {
    if (this.exchanges === MAX_EXCHANGES) throw new Overloaded('too many sign-ins at this moment');
    this.exchanges++;
    return this.exchange(ticket, answer).finally(() => this.exchanges--);
  }

  /** Returns who has signed out at the provider, or was disabled there. */
  async readLogout(logoutToken: string): Promise<CompanyIdentity> {
    const { client, keys } = await this.discovered();
    const { issuer } = client.serverMetadata();
    const { jwtVerify } = await import('jose');
    const audience = this.config.COMPANY_LOGIN_CLIENT_ID;
    const times = { clockTolerance: CLOCK_TOLERANCE_SECONDS, maxTokenAge: 600 };
    const rules = { typ: 'logout+jwt', issuer, audience, ...times };
    const verified = await jwtVerify(logoutToken, keys, rules).catch(() => undefined);
    const { sub: subject, events, nonce } = verified?.payload ?? {};
    if (subject === undefined || !(LOGOUT_EVENT in Object(events)) || nonce !== undefined)
      throw new InvalidRequest('the logout token is not one of the company for this service');
    return { issuer, subject };
  }

  private async exchange(ticket: string, answer: string): Promise<CompanyIdentity> {
    const { library, client } = await this.discovered();
    const { state, nonce, verifier } = this.open(ticket);
    const { COMPANY_LOGIN_PAGE: page, COMPANY_LOGIN_CLAIM: name } = this.config;
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    const tokens = await library
      .authorizationCodeGrant(client, new URL(`?${answer}`, page), checks)
      .catch((error: unknown) => {
        throw this.asOurs(error, library);
      });
    const { iss: issuer, sub: subject, ...claims } = tokens.claims()!;
    const value = claims[name];
    const account = typeof value === 'string' ? value.toLowerCase() : undefined;
    const isUnverified = name === 'email' && !!account && claims['email_verified'] !== true;
    return { issuer, subject, account, isUnverified };
  }

  /** Throws for a ticket that was not signed here, or more than ten minutes ago. */
  private open(ticket: string): LoginSecrets {
    try {
      return this.jwt.verify<LoginSecrets>(ticket, {
        secret: signingKeyOf(ticket, this.loginConfig) as never, // its types lack KeyObject
        algorithms: ['HS256'],
        audience: TICKET_AUDIENCE,
        clockTimestamp: this.clock.now() / 1000,
      });
    } catch (error) {
      throw new CompanyLoginIncomplete().causedBy(error);
    }
  }

  /** Reads what the provider publishes, once an hour; a failure is not kept. */
  private discovered(): Promise<Provider> {
    const now = this.clock.now();
    if (!this.known || now >= this.knownUntil) {
      this.knownUntil = now + METADATA_MS;
      this.known = discover(this.config);
      this.known.catch(() => (this.known = undefined));
    }
    return this.known;
  }

  /** What the provider refused is a sign-in that has to begin again; all else is the provider's. */
  private asOurs(error: unknown, library: Provider['library']): Error {
    const isAnswer = error instanceof library.ResponseBodyError;
    const isRefused =
      error instanceof library.AuthorizationResponseError ||
      (isAnswer && error.error === 'invalid_grant') ||
      (error instanceof library.ClientError && /^OAUTH_(JWT|INVALID)/.test(String(error.code)));
    return isRefused ? new CompanyLoginIncomplete().causedBy(error) : away(error);
  }
}

/** Names in the log what an administrator looks at, if the provider itself answers. */
function away(error: unknown): Error {
  const names = 'COMPANY_LOGIN_ISSUER, COMPANY_LOGIN_CLIENT_ID and COMPANY_LOGIN_CLIENT_SECRET';
  const cause = new Error(`${String(error)} (look at ${names})`, { cause: error });
  return new CompanyProviderAway().causedBy(cause);
}

/** Loads the libraries with the first sign-in: where nobody uses it, they cost nothing. */
async function discover(config: PeopleConfig) {
  const { COMPANY_LOGIN_ISSUER: issuer, COMPANY_LOGIN_CLIENT_ID: id } = config;
  if (issuer === '') throw new CompanyLoginNotOffered();
  const [library, jose] = await Promise.all([import('openid-client'), import('jose')]);
  // The setting takes http on loopback alone.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to be seen, as here
  const insecure = issuer.startsWith('http:') ? [library.allowInsecureRequests] : [];
  const execute = [library.enableNonRepudiationChecks, ...insecure];
  const metadata = { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const secret = library.ClientSecretBasic(config.COMPANY_LOGIN_CLIENT_SECRET);
  const options = { timeout: REQUEST_SECONDS, execute };
  const client = await library
    .discovery(new URL(issuer), id, metadata, secret, options)
    .catch((error: unknown) => {
      throw away(error);
    });
  const address = new URL(client.serverMetadata().jwks_uri ?? issuer);
  const keys = jose.createRemoteJWKSet(address, { timeoutDuration: REQUEST_SECONDS * 1000 });
  return { library, client, keys };
}
