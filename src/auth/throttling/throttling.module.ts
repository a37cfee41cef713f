import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerOptions } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AppConfig } from '../../config/app-config.js';
import { UsersModule } from '../../users/users.module.js';
import { KnownAddress, LoginFailure } from './login-failure.entity.js';
import { LoginAttemptsRepository } from './login-attempts.repository.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import { LoginAudit } from './login-audit.js';
import type { LoginAttempt, LoginThrottle } from './login-identity.js';
import { LoginLimitsService } from './login-limits.service.js';
import { PostgresThrottlerStorage } from './postgres-throttler.storage.js';

@Module({ providers: [PostgresThrottlerStorage], exports: [PostgresThrottlerStorage] })
class StorageModule {}

/** Limits failed logins. */
@Module({
  imports: [
    AuditModule,
    UsersModule,
    StorageModule,
    TypeOrmModule.forFeature([LoginFailure, KnownAddress]),
    ThrottlerModule.forRootAsync({
      imports: [StorageModule],
      inject: [AppConfig, PostgresThrottlerStorage],
      useFactory: (config: AppConfig, storage: PostgresThrottlerStorage) => ({
        storage,
        throttlers: loginThrottlers(config),
        generateKey: (_context, tracker) => tracker,
      }),
    }),
  ],
  providers: [LoginAttemptsService, LoginAttemptsRepository, LoginLimitsService, LoginAudit],
  exports: [LoginAttemptsService, LoginLimitsService, LoginAudit],
})
export class ThrottlingModule {}

/** The limits of failed logins; the storage describes the form of their keys. */
function loginThrottlers(config: AppConfig): ThrottlerOptions[] {
  const { LOGIN_WINDOW_SECONDS: window, LOGIN_LOCK_SECONDS: lock } = config;
  return [
    throttler(
      'pair',
      config.LOGIN_MAX_FAILURES,
      window,
      lock,
      (attempt) => `${attempt.accountKey} ${attempt.ipPrefix}`,
    ),
    throttler(
      'username',
      config.LOGIN_USERNAME_MAX_FAILURES,
      config.LOGIN_USERNAME_WINDOW_SECONDS || window,
      config.LOGIN_USERNAME_LOCK_SECONDS || lock,
      (attempt) => `${attempt.accountKey} `,
    ),
    throttler(
      'address',
      config.LOGIN_ADDRESS_MAX_FAILURES,
      config.LOGIN_ADDRESS_WINDOW_SECONDS || window,
      config.LOGIN_ADDRESS_LOCK_SECONDS || lock,
      (attempt) => ` ${attempt.ipPrefix}`,
    ),
  ];
}

function throttler(
  name: LoginThrottle['name'],
  limit: number,
  windowSeconds: number,
  lockSeconds: number,
  keyOf: (attempt: LoginAttempt) => string,
): ThrottlerOptions {
  const getTracker = ({ loginAttempt }: Record<string, unknown>): string => keyOf(loginAttempt as LoginAttempt);
  return { name, limit, ttl: windowSeconds * 1000, blockDuration: lockSeconds * 1000, getTracker };
}
