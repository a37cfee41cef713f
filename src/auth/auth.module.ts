import { createSecretKey } from 'node:crypto';
import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LoginConfig } from '../config/login.config.js';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { KnownAddress } from './login/known-address.entity.js';
import { LocalStrategy } from './login/local.strategy.js';
import { LocalAuthGuard } from './login/local-auth.guard.js';
import { LoginService } from './login/login.service.js';
import { LoginCounter } from './login/login-counter.entity.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { LoginThrottlerGuard } from './login/login-throttler.guard.js';
import { PasswordChangeService } from './login/password-change.service.js';
import { Token } from './tokens/token.entity.js';
import { TokenGuard } from './tokens/token.guard.js';
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
    AuditModule,
    UsersModule,
  ],
  controllers: [AuthController],
  providers: [
    LoginService,
    LoginFailuresService,
    LoginThrottlerGuard,
    LocalStrategy,
    LocalAuthGuard,
    PasswordChangeService,
    TokensService,
    TokenGuard,
    UserAccessCommands,
  ],
  exports: [TokensService, TokenGuard],
})
export class AuthModule {}
