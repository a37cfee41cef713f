import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { getOptionsToken, getStorageToken } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LoginConfig } from '../config/login.config.js';
import { UsersModule } from '../users/users.module.js';
import { LocalAuthGuard, LocalStrategy } from './login/local.strategy.js';
import { LoginAttemptsService } from './login/login-attempts.service.js';
import { LoginAudit } from './login/login-audit.js';
import { KnownAddress, LoginCounter } from './login/login-counter.entity.js';
import { LoginCountersRepository } from './login/login-counters.repository.js';
import { loginThrottlers, LoginThrottlerGuard } from './login/login-throttler.guard.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { JwtStrategy } from './tokens/jwt.strategy.js';
import { jwtOptions, Keyring } from './tokens/keyring.js';
import { Token } from './tokens/token.entity.js';
import { TokenGuard } from './tokens/token.guard.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TokensRepository } from './tokens/tokens.repository.js';
import { TokensService } from './tokens/tokens.service.js';
import { UserAccessCommands } from './user-access.commands.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Token, LoginCounter, KnownAddress]),
    JwtModule.registerAsync({ inject: [LoginConfig], useFactory: jwtOptions }),
    AuditModule,
    UsersModule,
  ],
  controllers: [LoginController, TokensController],
  providers: [
    ...[LoginService, LoginAttemptsService, LoginCountersRepository, LoginAudit],
    ...[LoginThrottlerGuard, LocalAuthGuard, LocalStrategy],
    { provide: getOptionsToken(), inject: [LoginConfig], useFactory: loginThrottlers },
    { provide: getStorageToken(), useExisting: LoginCountersRepository },
    ...[TokensService, TokensRepository, Keyring, TokenGuard, JwtStrategy],
    UserAccessCommands,
  ],
  exports: [TokensService, TokenGuard],
})
export class AuthModule {}
