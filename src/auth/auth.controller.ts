import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  ParseUUIDPipe,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../http/openapi/openapi.decorator.js';
import { Public } from '../http/public.decorator.js';
import { LocalAuthGuard } from './login/local-auth.guard.js';
import { ChangePasswordDto, LoginDto } from './login/login.dto.js';
import { LoginService } from './login/login.service.js';
import type { RightLogin } from './login/login-failures.service.js';
import { LoginThrottlerGuard } from './login/login-throttler.guard.js';
import { OfAuth } from './tokens/checks-revocation.decorator.js';
import { CurrentUser, type Principal } from './tokens/current-user.decorator.js';
import {
  LoginResponse,
  RevokeDto,
  RevokeResponse,
  SessionsResponse,
} from './tokens/sessions.dto.js';
import { TokensService } from './tokens/tokens.service.js';

/** Issues access tokens for passwords, lists and revokes them. */
@OfAuth()
@Controller({ path: 'auth', version: '1' })
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly tokens: TokensService,
  ) {}

  @Public()
  @Post('login')
  @ApiTags('Login')
  @ApiOperation({
    summary: 'Log in',
    description:
      'Issues an access token for username and password, valid for two hours. Earlier tokens stay valid. ' +
      'Too many failures lock the login for a while.',
  })
  @ApiBody({ type: LoginDto })
  @ApiResponses(LoginResponse, 401, 403, 429)
  @UseGuards(LoginThrottlerGuard, LocalAuthGuard)
  login(@Req() { user }: { user: RightLogin }): Promise<LoginResponse> {
    return this.logins.issue(user);
  }

  @Post('password')
  @ApiTags('Login')
  @ApiOperation({
    summary: 'Change the own password',
    description:
      "Ends all of the caller's tokens and issues a fresh one. A wrong current password counts as " +
      'a failed login.',
  })
  @ApiResponses(LoginResponse, 401, 403, 429)
  changePassword(
    @CurrentUser() caller: Principal,
    @Body() { current_password: current, new_password: next }: ChangePasswordDto,
  ): Promise<LoginResponse> {
    return this.logins.changePassword(caller, current, next);
  }

  @Post('revoke')
  @ApiTags('Logout')
  @ApiOperation({
    summary: 'Log out',
    description: "Revokes the presented token, or all of the caller's tokens.",
  })
  @ApiBody({ type: RevokeDto, required: false })
  @ApiResponses(RevokeResponse, 401)
  async revoke(
    @CurrentUser() caller: Principal,
    @Body() { all }: RevokeDto,
  ): Promise<RevokeResponse> {
    const which = all === true ? {} : { jti: caller.tokenId };
    return { revoked: await this.tokens.revoke(caller, which) };
  }

  @Get('sessions')
  @ApiTags('Logout')
  @ApiOperation({ summary: 'List the own sessions' })
  @ApiResponses(SessionsResponse, 401)
  async listSessions(@CurrentUser() caller: Principal): Promise<SessionsResponse> {
    return { sessions: await this.tokens.list(caller) };
  }

  @Delete('sessions/:id')
  @ApiTags('Logout')
  @ApiOperation({ summary: 'End one of the own sessions' })
  @ApiResponses(RevokeResponse, 400, 401)
  async endSession(
    @CurrentUser() caller: Principal,
    @Param('id', ParseUUIDPipe) jti: string,
  ): Promise<RevokeResponse> {
    return { revoked: await this.tokens.revoke(caller, { jti }) };
  }
}
