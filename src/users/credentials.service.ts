import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { isComparable, NEVER_COMPARABLE, PasswordHasher } from './password-hasher.js';
import { UsersRepository, type Account, type Credentials } from './users.repository.js';

export type { Account, Credentials } from './users.repository.js';

/** Finds accounts and checks passwords. */
@Injectable()
export class CredentialsService {
  private readonly renewing = new Set<number>();

  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly config: AppConfig,
  ) {}

  /** Keeps queued passwords small. */
  static shortened(password: string): string {
    return isComparable(password) ? password : NEVER_COMPARABLE;
  }

  async find(username: string): Promise<Credentials> {
    const { account, highestCost } = await this.users.findAccount(isStorable(username) ? username : '');
    return { account, workCost: Math.max(highestCost, this.config.BCRYPT_COST) };
  }

  assertCapacity(urgent: boolean): void {
    this.hasher.assertCapacity(urgent);
  }

  async match(credentials: Credentials, password: string, urgent: boolean): Promise<boolean> {
    return this.hasher.matches(password, credentials, urgent);
  }

  async isDisabled(userId: number): Promise<boolean> {
    return this.users.isDisabled(userId);
  }

  /** Hashes again, once for simultaneous logins. */
  async renew({ id, passwordHash }: Account, password: string): Promise<void> {
    if (!this.hasher.isOutdated(passwordHash) || this.renewing.has(id)) return;
    this.renewing.add(id);
    try {
      if (!(await this.users.hasPasswordHash(id, passwordHash))) return; // renewed by an earlier login
      await this.users.renewPasswordHash(id, passwordHash, await this.hasher.hash(password));
    } finally {
      this.renewing.delete(id);
    }
  }
}

/** PostgreSQL's text holds no NUL and no lone surrogate. */
function isStorable(username: string): boolean {
  return /^[^\0\p{Cs}]{1,200}$/u.test(username);
}
