import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerOptions } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AppConfig } from '../../config/app-config.js';
import { Database } from '../../database/database.js';
import { UsersModule } from '../../users/users.module.js';
import { LoginAttemptsRepository } from './login-attempts.repository.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import { LoginAudit } from './login-audit.js';
import { KnownAddress, LoginFailure } from './login-failure.entity.js';
import type { LoginAttempt, LoginThrottle } from './login-identity.js';
import { LoginLimitsService } from './login-limits.service.js';
import { PostgresThrottlerStorage } from './postgres-throttler.storage.js';

/** Limits failed logins. */
@Module({
  imports: [
    AuditModule,
    UsersModule,
    TypeOrmModule.forFeature([LoginFailure, KnownAddress]),
    ThrottlerModule.forRootAsync({
      inject: [AppConfig, Database],
      useFactory: (config: AppConfig, database: Database) => ({
        storage: new PostgresThrottlerStorage(database),
        throttlers: loginThrottlers(config),
        generateKey: (_context, tracker) => tracker,
      }),
    }),
  ],
  providers: [LoginAttemptsService, LoginAttemptsRepository, LoginLimitsService, LoginAudit],
  exports: [LoginAttemptsService, LoginLimitsService, LoginAudit],
})
export class ThrottlingModule {}

function loginThrottlers(config: AppConfig): ThrottlerOptions[] {
  const { LOGIN_WINDOW_SECONDS: window, LOGIN_LOCK_SECONDS: lock } = config;
  const { LOGIN_USERNAME_WINDOW_SECONDS, LOGIN_USERNAME_LOCK_SECONDS } = config;
  const { LOGIN_ADDRESS_WINDOW_SECONDS, LOGIN_ADDRESS_LOCK_SECONDS } = config;
  const username = [LOGIN_USERNAME_WINDOW_SECONDS || window, LOGIN_USERNAME_LOCK_SECONDS || lock] as const;
  const address = [LOGIN_ADDRESS_WINDOW_SECONDS || window, LOGIN_ADDRESS_LOCK_SECONDS || lock] as const;
  return [
    throttler('pair', config.LOGIN_MAX_FAILURES, [window, lock], (attempt) => [attempt.accountKey, attempt.ipPrefix]),
    throttler('username', config.LOGIN_USERNAME_MAX_FAILURES, username, ({ accountKey }) => [accountKey, '']),
    throttler('address', config.LOGIN_ADDRESS_MAX_FAILURES, address, ({ ipPrefix }) => ['', ipPrefix]),
  ];
}

function throttler(
  name: LoginThrottle['name'],
  limit: number,
  [windowSeconds, lockSeconds]: readonly [number, number],
  keyOf: (attempt: LoginAttempt) => [accountKey: string, ipPrefix: string],
): ThrottlerOptions {
  const getTracker = (request: Record<string, unknown>): string =>
    keyOf(request['loginAttempt'] as LoginAttempt).join(' ');
  return { name, limit, ttl: windowSeconds * 1000, blockDuration: lockSeconds * 1000, getTracker };
}
