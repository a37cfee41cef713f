import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { getOptionsToken, getStorageToken } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LoginConfig } from '../config/login.config.js';
import { UsersModule } from '../users/users.module.js';
import { LocalAuthGuard } from './login/local-auth.guard.js';
import { LocalStrategy } from './login/local.strategy.js';
import { KnownAddress, LoginCounter } from './login/login-counter.entity.js';
import { LoginThrottlerGuard, throttlerOptions } from './login/login-throttler.guard.js';
import { LoginController } from './login/login.controller.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { LoginService } from './login/login.service.js';
import { jwtOptions, JwtStrategy } from './tokens/jwt.strategy.js';
import { Token } from './tokens/token.entity.js';
import { TokenGuard } from './tokens/token.guard.js';
import { TokensController } from './tokens/tokens.controller.js';
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
    LoginService,
    LoginFailuresService,
    LoginThrottlerGuard,
    LocalAuthGuard,
    LocalStrategy,
    { provide: getOptionsToken(), inject: [LoginConfig], useFactory: throttlerOptions },
    { provide: getStorageToken(), useExisting: LoginFailuresService },
    TokensService,
    TokenGuard,
    JwtStrategy,
    UserAccessCommands,
  ],
  exports: [TokensService, TokenGuard],
})
export class AuthModule {}
