import { createSecretKey } from 'node:crypto';
import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { urlencoded } from 'express';
import { AuditModule } from '../audit/audit.module.js';
import { LoginConfig } from '../config/login.config.js';
import { Housekeeping } from '../database/housekeeping.js';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { CompanyController } from './company/company.controller.js';
import { CompanyAccount } from './company/company-account.entity.js';
import { CompanyAccountsService } from './company/company-accounts.service.js';
import { CompanyProviderService } from './company/company-provider.service.js';
import { LocalStrategy } from './login/local.strategy.js';
import { LocalAuthGuard } from './login/local-auth.guard.js';
import { KnownAddress, LoginCounter } from './login/login.entity.js';
import { LoginService } from './login/login.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { FixedWindowStorage } from './login/login-throttler.guard.js';
import { SecondFactorController } from './login/second-factor.controller.js';
import { RecoveryCode, SecondFactor } from './login/second-factor.entity.js';
import { SecondFactorService } from './login/second-factor.service.js';
import { JwtStrategy } from './tokens/jwt.strategy.js';
import { JwtAuthGuard } from './tokens/jwt-auth.guard.js';
import { Token } from './tokens/token.entity.js';
import { TokensService } from './tokens/tokens.service.js';
import { UsersCommands } from './users.commands.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      Token,
      LoginCounter,
      KnownAddress,
      SecondFactor,
      RecoveryCode,
      CompanyAccount,
    ]),
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
  controllers: [AuthController, SecondFactorController, CompanyController],
  providers: [
    LoginService,
    SecondFactorService,
    LoginFailuresService,
    LocalStrategy,
    LocalAuthGuard,
    CompanyProviderService,
    CompanyAccountsService,
    TokensService,
    JwtStrategy,
    JwtAuthGuard,
    UsersCommands,
  ],
  exports: [CompanyAccountsService, TokensService, LoginFailuresService, JwtAuthGuard],
})
export class AuthModule implements NestModule {
  /** Lets expired rows be deleted. Tokens stay five minutes longer: clocks may differ. */
  constructor(housekeeping: Housekeeping, config: LoginConfig) {
    const where = `expires_at < now() - interval '5 minutes'`;
    housekeeping.add({ table: 'tokens', key: 'jti', where });
    housekeeping.add({ table: 'login_counters', key: 'key', where: 'ends_at < now()' });
    housekeeping.add({
      table: 'known_addresses',
      key: 'user_id, network',
      where: 'last_login_at < now() - make_interval(days => $1)',
      values: () => [config.LOGIN_KNOWN_ADDRESS_DAYS],
    });
  }

  /** Reads the form that the company's provider sends when a person has signed out there. */
  configure(consumer: MiddlewareConsumer): void {
    const form = urlencoded({ extended: false, limit: '16kb', inflate: false });
    consumer
      .apply(form)
      .forRoutes({ path: 'auth/company/logout', version: '1', method: RequestMethod.POST });
  }
}
