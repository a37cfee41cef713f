import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { LoginAttempt } from './login-attempt.js';
import {
  BEGIN_ATTEMPT,
  COUNT_FAILURE,
  END_ATTEMPT,
  FIND_LOCK,
  FORGET_SUBJECT,
  MARK_REFUSAL,
  SUCCEED,
} from './login-failures.statements.js';
import type { LoginLimit } from './login-limits.js';

/** Names a row: `network` is '' in a counter of a subject anywhere, `subject` in that of a network. */
export interface CounterKey {
  readonly subject: string;
  readonly network: string;
}

export interface Counter extends CounterKey {
  readonly limit: LoginLimit;
}

/** What a failure did to a counter that was not locked. */
export interface Counted extends CounterKey {
  /** In the window; 0 where it locked. */
  readonly failures: number;
  /** It locked this very moment. */
  readonly locked: boolean;
}

/** A lock, in whole seconds that it still lasts. */
export interface Lock extends CounterKey {
  readonly lockedSeconds: number;
  readonly refusalRecorded: boolean;
}

interface Begun {
  readonly begun: boolean;
  readonly locked: boolean;
}

/** The failed logins and the locks they lead to: shared by all instances, each question one statement. */
@Injectable()
export class LoginFailuresRepository {
  constructor(private readonly database: Database) {}

  /** The longest lock in the way, where there is one; and whether the user is known at the network. */
  async findLock(
    { subject, network }: CounterKey,
    user?: { readonly id: number; readonly knownDays: number },
  ): Promise<{ known: boolean; lock: Lock | undefined }> {
    type Row = { known: boolean } & { [Key in keyof Lock]: Lock[Key] | null };
    const values = [subject, network, user?.id ?? null, user?.knownDays ?? 0];
    const { known, ...lock } = (await this.database.run<Row>(FIND_LOCK, values))[0]!;
    return { known, lock: lock.subject === null ? undefined : (lock as Lock) };
  }

  /** Whether there was a place, and whether a lock was the reason why not. */
  async begin({ subject, network, known }: LoginAttempt, limit: LoginLimit): Promise<Begun> {
    const values = [subject, network, known, limit.maxFailures, limit.windowSeconds];
    return (await this.database.run<Begun>(BEGIN_ATTEMPT, values))[0]!;
  }

  async end({ subject, network }: CounterKey): Promise<void> {
    await this.database.run(END_ATTEMPT, [subject, network]);
  }

  /** Counts a failure in all counters at once; those that were locked already are left out of the answer. */
  async count(counters: readonly Counter[]): Promise<Counted[]> {
    return this.database.run<Counted>(COUNT_FAILURE, [
      counters.map(({ subject }) => subject),
      counters.map(({ network }) => network),
      counters.map(({ limit }) => limit.maxFailures),
      counters.map(({ limit }) => limit.windowSeconds),
      counters.map(({ limit }) => limit.lockSeconds),
    ]);
  }

  /** Whether a lock fell meanwhile; the success then leaves no trace. */
  async succeed({ subject, network, known }: LoginAttempt, userId: number): Promise<boolean> {
    return (await this.database.run<{ locked: boolean }>(SUCCEED, [subject, network, known, userId]))[0]!.locked;
  }

  /** true for the first refusal under a lock. */
  async markRefusal({ subject, network }: CounterKey): Promise<boolean> {
    return (await this.database.run(MARK_REFUSAL, [subject, network])).length > 0;
  }

  /** Opens every lock of the user, and those of the networks at which it is known. */
  async forget(subject: string, userId: number): Promise<void> {
    await this.database.run(FORGET_SUBJECT, [subject, userId]);
  }
}
