import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { PasswordHasher } from './password-hasher.js';
import { UsersRepository } from './users.repository.js';

/** A user, as far as a login asks. */
export interface Account {
  readonly id: number;
  readonly passwordHash: string;
  /** Counts the passwords that were set. */
  readonly passwordVersion: number;
  readonly disabled: boolean;
}

/** What a username leads to. */
export interface Credentials {
  readonly account: Account | undefined;
  /** The bcrypt cost whose work every comparison does: the highest there is, so that time tells nobody from another. */
  readonly workCost: number;
}

/** Judges passwords. */
@Injectable()
export class CredentialsService {
  private readonly renewing = new Set<number>();

  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly config: AppConfig,
  ) {}

  async find(username: string): Promise<Credentials> {
    const { account, highestCost } = await this.users.findAccount(isPossible(username) ? username : '');
    return { account, workCost: Math.max(highestCost, this.config.BCRYPT_COST) };
  }

  /** Throws `TooManyLogins` where a comparison would wait too long. */
  assertCapacity(urgent: boolean): void {
    this.hasher.assertCapacity(urgent);
  }

  /** Throws `TooManyLogins`. Urgent comparisons go before others. */
  async match({ account, workCost }: Credentials, password: string, urgent: boolean): Promise<boolean> {
    return this.hasher.matches(password, { passwordHash: account?.passwordHash, workCost, urgent });
  }

  async isDisabled(userId: number): Promise<boolean> {
    return this.users.isDisabled(userId);
  }

  /** Hashes the right password anew where its hash has a lower cost than the settings ask for; once for logins at once. */
  async renew({ id, passwordHash }: Account, password: string): Promise<void> {
    if (!this.hasher.isOutdated(passwordHash) || this.renewing.has(id)) return;
    this.renewing.add(id);
    try {
      if (!(await this.users.hasPasswordHash(id, passwordHash))) return; // an earlier login saw to it
      await this.users.renewPasswordHash(id, passwordHash, await this.hasher.hash(password));
    } finally {
      this.renewing.delete(id);
    }
  }
}

/** Whether PostgreSQL could hold such a username at all. */
function isPossible(username: string): boolean {
  return /^[^\0\p{Cs}]{1,200}$/u.test(username);
}
