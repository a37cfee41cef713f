import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AppConfig } from '../config/app-config.js';
import { Database } from '../database/database.js';
import { UsersModule } from '../users/users.module.js';
import { UserAccessCommands } from './user-access.commands.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { JwtStrategy } from './passport/jwt.strategy.js';
import { LocalAuthGuard, LocalStrategy } from './passport/local.strategy.js';
import { TokenGuard } from './passport/token.guard.js';
import { LoginAttemptsRepository } from './throttling/login-attempts.repository.js';
import { LoginAttemptsService } from './throttling/login-attempts.service.js';
import { LoginAudit } from './throttling/login-audit.js';
import { KnownAddress, LoginFailure } from './throttling/login-failure.entity.js';
import { LoginLimitsService } from './throttling/login-limits.service.js';
import { loginThrottlers } from './throttling/login-throttler.guard.js';
import { PostgresThrottlerStorage } from './throttling/postgres-throttler.storage.js';
import { Keyring } from './tokens/keyring.js';
import { Token } from './tokens/token.entity.js';
import { TokensRepository } from './tokens/tokens.repository.js';
import { TokensService } from './tokens/tokens.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Token, LoginFailure, KnownAddress]),
    ThrottlerModule.forRootAsync({
      inject: [AppConfig, Database],
      useFactory: (config: AppConfig, database: Database) => ({
        storage: new PostgresThrottlerStorage(database),
        throttlers: loginThrottlers(config),
        generateKey: (_context, tracker) => tracker,
      }),
    }),
    AuditModule,
    UsersModule,
  ],
  controllers: [AuthController],
  providers: [
    ...[AuthService, JwtStrategy, LocalStrategy, LocalAuthGuard, TokenGuard, UserAccessCommands],
    ...[LoginAttemptsService, LoginAttemptsRepository, LoginLimitsService, LoginAudit],
    ...[TokensService, TokensRepository, Keyring],
  ],
  exports: [TokensService],
})
export class AuthModule {}
