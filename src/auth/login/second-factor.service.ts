import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, type Repository } from 'typeorm';
import { Clock } from '../../calendar/business-calendar.js';
import { PeopleConfig } from '../../config/people.config.js';
import { RecoveryCode, SecondFactor } from './second-factor.entity.js';
import { base32, decrypt, encrypt, stepOf } from './totp.js';

const RECOVERY_CODES = 10;

/** Keeps the authenticator apps of people, and checks their codes. */
@Injectable()
export class SecondFactorService {
  constructor(
    @InjectRepository(SecondFactor) private readonly factors: Repository<SecondFactor>,
    @InjectRepository(RecoveryCode) private readonly codes: Repository<RecoveryCode>,
    private readonly config: PeopleConfig,
    private readonly clock: Clock,
  ) {}

  get isOffered(): boolean {
    return this.config.SECOND_FACTOR !== 'off';
  }

  find(userId: number): Promise<SecondFactor | null> {
    return this.factors.findOneBy({ userId });
  }

  countRecoveryCodes(userId: number): Promise<number> {
    return this.codes.countBy({ userId });
  }

  /** Makes a secret, in base32, which a first code has to confirm. */
  async makeSecret(userId: number): Promise<string> {
    const plain = randomBytes(20);
    const secret = encrypt(plain, this.config.SECOND_FACTOR_KEY, userId);
    await this.factors.upsert({ userId, secret, lastStep: 0, confirmedAt: null }, ['userId']);
    return base32(plain);
  }

  /** Begins to ask for codes if this one is right; returns recovery codes, which are not kept. */
  async confirm(
    userId: number,
    code: string,
    transaction: EntityManager,
  ): Promise<string[] | undefined> {
    const factor = await transaction.findOneBy(SecondFactor, { userId, confirmedAt: IsNull() });
    const step = factor && stepOf(code, this.secretOf(factor), this.clock.now());
    if (!step) return undefined;
    const unconfirmed = { userId, confirmedAt: IsNull(), secret: factor.secret };
    const change = { confirmedAt: () => 'now()', lastStep: step };
    if ((await transaction.update(SecondFactor, unconfirmed, change)).affected !== 1)
      return undefined;
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      // 50 bits, in two groups
      base32(randomBytes(7)).slice(0, 10).toLowerCase().replace(/^.{5}/, '$&-'),
    );
    await transaction.delete(RecoveryCode, { userId });
    await transaction.insert(
      RecoveryCode,
      codes.map((each) => ({ userId, hash: hashOf(each) })),
    );
    return codes;
  }

  /** Uses a code, of the app or for recovery, once on all instances; says which kind it was. */
  async use(userId: number, sent: string): Promise<'app' | 'recovery code' | undefined> {
    const code = sent.replace(/[\s-]/g, '').toLowerCase();
    if (!/^\d{6}$/.test(code)) {
      const { affected } = await this.codes.delete({ userId, hash: hashOf(code) });
      return affected === 1 ? 'recovery code' : undefined;
    }
    const factor = await this.find(userId);
    const step = factor && stepOf(code, this.secretOf(factor), this.clock.now());
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

  private secretOf({ secret, userId }: SecondFactor): Buffer {
    return decrypt(secret, this.config.SECOND_FACTOR_KEY, userId);
  }
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code.replaceAll('-', '')).digest();
}
