import { Injectable } from '@nestjs/common';
import { compare, hash } from 'bcrypt';
import { AppConfig } from '../config/app-config.js';
import { UnfitPassword } from './users.errors.js';

/** Makes and compares password hashes. */
@Injectable()
export class PasswordHasher {
  private decoy: Promise<string> | undefined;

  constructor(private readonly config: AppConfig) {}

  /** Throws `UnfitPassword` for what bcrypt would cut silently. */
  async hash(password: string): Promise<string> {
    if (password === '') throw new UnfitPassword('is empty');
    if (!isComparable(password)) throw new UnfitPassword('is longer than 72 bytes in UTF-8, or holds a NUL character');
    return hash(password, this.config.BCRYPT_COST);
  }

  /** Takes the same time whether or not there is a hash, so that nobody learns which users exist. */
  async matches(password: string, passwordHash: string | undefined): Promise<boolean> {
    this.decoy ??= hash('nobody', this.config.BCRYPT_COST);
    const equal = await compare(password, passwordHash ?? (await this.decoy));
    return equal && passwordHash !== undefined && isComparable(password);
  }
}

function isComparable(password: string): boolean {
  return Buffer.byteLength(password) <= 72 && !password.includes('\0');
}
