import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../../calendar/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import { CompanyLoginIncomplete } from './company.errors.js';
import type { LoginSecrets } from './company-provider.service.js';

const AUDIENCE = 'company login';
const LIFETIME_SECONDS = 600;

/**
 * Signs what a sign-in has to come back with. The tab keeps it, so that no instance has a session:
 * an answer is worth nothing in a browser that did not begin. It is no access token: it has no user.
 */
@Injectable()
export class CompanyTicketsService {
  constructor(
    private readonly jwt: JwtService,
    private readonly config: LoginConfig,
    private readonly clock: Clock,
  ) {}

  sign({ state, nonce, verifier }: LoginSecrets): string {
    const exp = Math.floor(this.clock.now() / 1000) + LIFETIME_SECONDS;
    return this.jwt.sign({ aud: AUDIENCE, state, nonce, verifier, exp });
  }

  /** Throws for what was not signed here, or more than ten minutes ago. */
  open(ticket: string): LoginSecrets {
    const { JWT_SECRET, JWT_PREVIOUS_SECRET } = this.config;
    for (const secret of [JWT_SECRET, JWT_PREVIOUS_SECRET]) {
      if (secret === '') continue;
      try {
        return this.jwt.verify<LoginSecrets>(ticket, {
          secret: createSecretKey(secret, 'utf8') as never,
          algorithms: ['HS256'],
          audience: AUDIENCE,
          clockTimestamp: Math.floor(this.clock.now() / 1000),
        });
      } catch {
        continue; // the other secret may have signed it
      }
    }
    throw new CompanyLoginIncomplete().causedBy('the ticket is not ours, or too old');
  }
}
