import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { Clock } from '../../calendar/business-calendar.js';
import { PeopleConfig } from '../../config/people.config.js';
import { Database } from '../../database/database.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import { TokenInvalid } from '../tokens/tokens.errors.js';
import { TokensService } from '../tokens/tokens.service.js';
import { SecondFactorExists, SecondFactorNotOffered, WrongCurrentCode } from './login.errors.js';
import type {
  NewSecondFactorResponse,
  SecondFactorConfirmedResponse,
  SecondFactorResponse,
} from './second-factor.dto.js';
import { RecoveryCode, SecondFactor } from './second-factor.entity.js';

const RECOVERY_CODES = 10;

/** Keeps the authenticator apps of people, and checks their codes. */
@Injectable()
export class SecondFactorService {
  constructor(
    @InjectRepository(SecondFactor) private readonly factors: Repository<SecondFactor>,
    private readonly config: PeopleConfig,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  get isOffered(): boolean {
    return this.config.SECOND_FACTOR !== 'off';
  }

  async read({ userId }: Principal): Promise<SecondFactorResponse> {
    const { kind } = await this.users.getById(userId);
    const factor = await this.factors.findOneBy({ userId });
    return {
      offered: this.isOffered && kind === 'person',
      confirmed_at: factor?.confirmedAt ?? null,
      recovery_codes_left: await this.factors.manager.countBy(RecoveryCode, { userId }),
    };
  }

  /** Makes a secret, which a first code has to confirm; it replaces one that was not confirmed. */
  async begin(caller: Principal): Promise<NewSecondFactorResponse> {
    const { userId } = caller;
    const { offered, confirmed_at: confirmedAt } = await this.read(caller);
    if (!offered) throw new SecondFactorNotOffered();
    if (confirmedAt) throw new SecondFactorExists();
    const { username: label } = await this.users.getById(userId);
    const { TOTP } = await import('otpauth');
    const app = new TOTP({ issuer: 'Hourly Sales', label });
    const secret = await this.encrypt(app.secret.base32, userId);
    await this.factors.upsert({ userId, secret, lastStep: 0, confirmedAt: null }, ['userId']);
    return { secret: app.secret.base32, uri: app.toString() };
  }

  /** Begins to ask for codes if this one is right; all tokens end but the one that it returns. */
  confirm(caller: Principal, code: string): Promise<SecondFactorConfirmedResponse> {
    const { userId, clientAddress } = caller;
    return this.database.transaction(async (transaction) => {
      const where = { userId, confirmedAt: IsNull() };
      const lock = { mode: 'pessimistic_write' } as const;
      const factor = await transaction.findOne(SecondFactor, { where, lock });
      const step = factor && (await this.stepOf(bare(code), factor));
      if (!step) throw new WrongCurrentCode();
      const change = { confirmedAt: () => 'now()', lastStep: step };
      await transaction.update(SecondFactor, userId, change);
      const codes = await makeRecoveryCodes();
      const rows = codes.map((each) => ({ userId, hash: hashOf(each) }));
      await transaction.insert(RecoveryCode, rows);
      await this.tokens.revokeOf(userId, {}, transaction);
      const user = await this.users.getById(userId);
      const event = { action: 'second factor setup', clientAddress };
      const issued = await this.tokens.issue(user, event, transaction);
      if (!issued) throw new TokenInvalid(); // the account was disabled meanwhile
      return Object.assign(issued, { recovery_codes: codes });
    });
  }

  /** Uses a code, of the app or for recovery, once on all instances; says which kind it was. */
  async use(userId: number, sent: string): Promise<'app' | 'recovery code' | undefined> {
    const code = bare(sent);
    if (!/^\d{6}$/.test(code)) {
      const hash = hashOf(code);
      const { affected } = await this.factors.manager.delete(RecoveryCode, { userId, hash });
      return affected === 1 ? 'recovery code' : undefined;
    }
    const factor = await this.factors.findOneBy({ userId });
    const step = factor && (await this.stepOf(code, factor));
    if (!step) return undefined;
    const isUnused = { userId, lastStep: LessThan(step) };
    const { affected } = await this.factors.update(isUnused, { lastStep: step });
    return affected === 1 ? 'app' : undefined;
  }

  /** Forgets the app and the recovery codes; says whether there were any. */
  async remove(userId: number, transaction: EntityManager): Promise<boolean> {
    await transaction.delete(RecoveryCode, { userId });
    return (await transaction.delete(SecondFactor, { userId })).affected === 1;
  }

  /** Forgets them for the caller, who has confirmed it by password and code. */
  removeOwn({ userId, clientAddress }: Principal): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const event = { actor: `user:${userId}`, action: 'second factor removal', clientAddress };
      await this.audit.record({ ...event, outcome: 'success' }, transaction);
      return this.remove(userId, transaction);
    });
  }

  /** Returns the step of 30 seconds of which a code is: that of now, or the one beside it. */
  private async stepOf(token: string, { userId, secret }: SecondFactor): Promise<number | null> {
    const [{ jwtDecrypt }, { TOTP }] = await Promise.all([import('jose'), import('otpauth')]);
    const { payload } = await jwtDecrypt(secret, this.key, { subject: String(userId) });
    const app = new TOTP({ secret: payload['secret'] as string });
    const timestamp = this.clock.now();
    const distance = app.validate({ token, timestamp, window: 1 });
    return distance === null ? null : app.counter({ timestamp }) + distance;
  }

  /** Encrypts a secret for a user, in whose row alone it is good. */
  private async encrypt(secret: string, userId: number): Promise<Buffer> {
    const { EncryptJWT } = await import('jose');
    const jwt = new EncryptJWT({ secret }).setSubject(String(userId));
    jwt.setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
    return Buffer.from(await jwt.encrypt(this.key));
  }

  private get key(): Buffer {
    return createHash('sha256').update(this.config.SECOND_FACTOR_KEY).digest();
  }
}

/** Makes codes of 50 bits, in two groups. */
async function makeRecoveryCodes(): Promise<string[]> {
  const { Secret } = await import('otpauth');
  const code = () => new Secret({ size: 7 }).base32.slice(0, 10).toLowerCase();
  return Array.from({ length: RECOVERY_CODES }, () => code().replace(/^.{5}/, '$&-'));
}

/** A code as it is compared: people type blanks, and capitals. */
const bare = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

function hashOf(code: string): Buffer {
  return createHash('sha256').update(bare(code)).digest();
}
