import { createSecretKey } from 'node:crypto';
import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LoginConfig } from '../config/login.config.js';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { LocalStrategy } from './login/local.strategy.js';
import { LocalAuthGuard } from './login/local-auth.guard.js';
import { KnownAddress, LoginCounter } from './login/login.entity.js';
import { LoginService } from './login/login.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { LoginLockGuard } from './login/login-lock.guard.js';
import { FixedWindowStorage } from './login/login-throttler.guard.js';
import { PasswordChangeService } from './login/password-change.service.js';
import { JwtStrategy } from './tokens/jwt.strategy.js';
import { JwtAuthGuard } from './tokens/jwt-auth.guard.js';
import { Token } from './tokens/token.entity.js';
import { TokensService } from './tokens/tokens.service.js';
import { UserAccessCommands } from './user-access.commands.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Token, LoginCounter, KnownAddress]),
    JwtModule.registerAsync({
      inject: [LoginConfig],
      // A string would be tried as a private key first, at each login.
      useFactory: ({ JWT_SECRET }: LoginConfig) => ({
        secret: createSecretKey(JWT_SECRET, 'utf8'),
      }),
    }),
    ThrottlerModule.forRootAsync({
      inject: [LoginConfig],
      useFactory: ({ LOGIN_REQUESTS_PER_MINUTE: limit }: LoginConfig) => ({
        throttlers: [{ ttl: 60_000, limit }],
        storage: new FixedWindowStorage(),
        setHeaders: false,
      }),
    }),
    AuditModule,
    UsersModule,
  ],
  controllers: [AuthController],
  providers: [
    LoginService,
    LoginFailuresService,
    LoginLockGuard,
    LocalStrategy,
    LocalAuthGuard,
    PasswordChangeService,
    TokensService,
    JwtStrategy,
    JwtAuthGuard,
    UserAccessCommands,
  ],
  exports: [TokensService, LoginFailuresService, JwtAuthGuard],
})
export class AuthModule {}
