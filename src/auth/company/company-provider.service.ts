import { Injectable, Logger } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { Clock } from '../../calendar/business-calendar.js';
import { PeopleConfig } from '../../config/people.config.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import {
  CompanyLoginIncomplete,
  CompanyProviderAway,
  InvalidLogoutToken,
} from './company.errors.js';

/** Seconds of each call: three of them stay below the time within which a request is answered. */
const REQUEST_SECONDS = 1.4;
/** What the provider publishes is read again after an hour. */
const METADATA_MS = 3_600_000;
/** Seconds by which the clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_EXCHANGES = 20;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What has to come back with an answer of the provider. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who signed in at the provider. */
export interface CompanyIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The value of COMPANY_LOGIN_CLAIM; undefined if it is missing or not verified. */
  readonly account: string | undefined;
}

type Library = typeof import('openid-client');

/** Talks to the company's OpenID Connect provider. */
@Injectable()
export class CompanyProviderService {
  private readonly logger = new Logger('CompanyLogin');
  private known: { readonly readAt: number; readonly provider: Promise<Configuration> } | undefined;
  private exchanges = 0;

  constructor(
    private readonly config: PeopleConfig,
    private readonly clock: Clock,
  ) {}

  /** Returns where a browser signs in, and what is compared once it is back. */
  async begin(asksAnew: boolean): Promise<{ url: string; secrets: LoginSecrets }> {
    const library = await load();
    const provider = await this.discovered();
    const secrets = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    };
    const { response_modes_supported: modes = [] } = provider.serverMetadata();
    const url = library.buildAuthorizationUrl(provider, {
      redirect_uri: this.config.COMPANY_LOGIN_PAGE,
      scope: 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      // A fragment is not sent to any server, so that no log has the code.
      ...(modes.includes('fragment') && { response_mode: 'fragment' }),
      ...(asksAnew && { prompt: 'login' }),
    });
    return { url: url.href, secrets };
  }

  /** Redeems the code of an answer. */
  async complete(answer: string, secrets: LoginSecrets): Promise<CompanyIdentity> {
    if (this.exchanges >= MAX_EXCHANGES) throw new Overloaded('too many sign-ins at this moment');
    this.exchanges++;
    try {
      return await this.exchange(answer, secrets);
    } finally {
      this.exchanges--;
    }
  }

  /** Returns who has signed out at the provider, or was disabled there. */
  async readLogout(logoutToken: string): Promise<Pick<CompanyIdentity, 'issuer' | 'subject'>> {
    const { createRemoteJWKSet, jwtVerify } = await import('jose');
    const { issuer, jwks_uri: keys = '' } = (await this.discovered()).serverMetadata();
    const options = { timeoutDuration: REQUEST_SECONDS * 1000 };
    const rules = {
      issuer,
      audience: this.config.COMPANY_LOGIN_CLIENT_ID,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: 600,
      requiredClaims: ['sub', 'events'],
    };
    const keySet = createRemoteJWKSet(new URL(keys), options);
    const { payload } = await jwtVerify(logoutToken, keySet, rules).catch((error: unknown) => {
      throw new InvalidLogoutToken().causedBy(error);
    });
    const isLogout = LOGOUT_EVENT in Object(payload['events']) && !('nonce' in payload);
    if (!isLogout) throw new InvalidLogoutToken();
    return { issuer, subject: payload.sub! };
  }

  private async exchange(answer: string, secrets: LoginSecrets): Promise<CompanyIdentity> {
    const library = await load();
    const provider = await this.discovered();
    const back = new URL(this.config.COMPANY_LOGIN_PAGE);
    back.search = answer;
    const checks = {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    };
    const tokens = await library
      .authorizationCodeGrant(provider, back, checks)
      .catch((error: unknown) => {
        throw this.asOurs(error, library);
      });
    const { iss: issuer, sub: subject, ...claims } = tokens.claims()!;
    const { COMPANY_LOGIN_CLAIM: name } = this.config;
    const isTrusted = name !== 'email' || claims['email_verified'] === true;
    const value = claims[name];
    const account = isTrusted && typeof value === 'string' ? value.toLowerCase() : undefined;
    return { issuer, subject, account };
  }

  /** Reads what the provider publishes, once an hour; a failure is not kept. */
  private discovered(): Promise<Configuration> {
    const now = this.clock.now();
    if (this.known && now - this.known.readAt < METADATA_MS) return this.known.provider;
    const provider = this.discover();
    this.known = { readAt: now, provider };
    provider.catch(() => (this.known = undefined));
    return provider;
  }

  private async discover(): Promise<Configuration> {
    const library = await load();
    const { COMPANY_LOGIN_ISSUER: issuer, COMPANY_LOGIN_CLIENT_ID: id } = this.config;
    // The setting takes http on loopback alone.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to be seen, as here
    const insecure = issuer.startsWith('http:') ? [library.allowInsecureRequests] : [];
    const execute = [library.enableNonRepudiationChecks, ...insecure];
    const client = { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const secret = library.ClientSecretBasic(this.config.COMPANY_LOGIN_CLIENT_SECRET);
    const options = { timeout: REQUEST_SECONDS, execute };
    return library
      .discovery(new URL(issuer), id, client, secret, options)
      .catch((error: unknown) => {
        throw new CompanyProviderAway().causedBy(error);
      });
  }

  /** What the provider refused is a sign-in that has to begin again; all else is the provider's. */
  private asOurs(error: unknown, library: Library): Error {
    const isAnswer = error instanceof library.ResponseBodyError;
    if (isAnswer && error.error === 'invalid_client')
      this.logger.error(
        'the provider refuses COMPANY_LOGIN_CLIENT_ID or COMPANY_LOGIN_CLIENT_SECRET',
      );
    const isRefused =
      error instanceof library.AuthorizationResponseError ||
      (isAnswer && error.error === 'invalid_grant') ||
      (error instanceof library.ClientError && /^OAUTH_(JWT|INVALID)/.test(String(error.code)));
    return (isRefused ? new CompanyLoginIncomplete() : new CompanyProviderAway()).causedBy(error);
  }
}

/** The library is loaded with the first sign-in: where nobody uses it, it costs nothing. */
function load(): Promise<Library> {
  return import('openid-client');
}
