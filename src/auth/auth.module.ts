import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../users/users.module.js';
import { UserAccessCommands } from './user-access.commands.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { ExpiredRowsRepository } from './housekeeping/expired-rows.repository.js';
import { ExpiredRowsService } from './housekeeping/expired-rows.service.js';
import { JwtStrategy } from './passport/jwt.strategy.js';
import { LocalAuthGuard, LocalStrategy } from './passport/local.strategy.js';
import { TokenGuard } from './passport/token.guard.js';
import { ThrottlingModule } from './throttling/throttling.module.js';
import { Keyring } from './tokens/keyring.js';
import { Token } from './tokens/token.entity.js';
import { TokensRepository } from './tokens/tokens.repository.js';
import { TokensService } from './tokens/tokens.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Token]), AuditModule, UsersModule, ThrottlingModule],
  controllers: [AuthController],
  providers: [
    AuthService,
    UserAccessCommands,
    TokensService,
    TokensRepository,
    Keyring,
    ExpiredRowsService,
    ExpiredRowsRepository,
    JwtStrategy,
    LocalStrategy,
    LocalAuthGuard,
    TokenGuard,
  ],
  exports: [TokensService],
})
export class AuthModule {}
