import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { AuditModule } from '../../audit/audit.module.js';
import { AppConfig } from '../../config/app-config.js';
import { UsersModule } from '../../users/users.module.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import { LoginFailuresRepository } from './login-failures.repository.js';
import { LoginAudit } from './login-audit.js';
import { loginLimits } from './login-limits.js';
import { PostgresThrottlerStorage } from './postgres-throttler.storage.js';

@Module({
  providers: [LoginFailuresRepository, PostgresThrottlerStorage],
  exports: [LoginFailuresRepository, PostgresThrottlerStorage],
})
class StorageModule {}

/** Limits failed logins. */
@Module({
  imports: [
    AuditModule,
    UsersModule,
    StorageModule,
    ThrottlerModule.forRootAsync({
      imports: [StorageModule],
      inject: [AppConfig, PostgresThrottlerStorage],
      useFactory: (config: AppConfig, storage: PostgresThrottlerStorage) => {
        const { maxFailures, windowSeconds, lockSeconds } = loginLimits(config).pair;
        return {
          storage,
          throttlers: [{ limit: maxFailures, ttl: windowSeconds * 1000, blockDuration: lockSeconds * 1000 }],
        };
      },
    }),
  ],
  providers: [LoginAttemptsService, LoginAudit],
  exports: [LoginAttemptsService, LoginAudit],
})
export class ThrottlingModule {}
