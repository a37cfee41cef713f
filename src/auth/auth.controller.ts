import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../http/openapi/openapi.decorator.js';
import { Public } from '../http/public.decorator.js';
import { ClientAddress } from '../http/requests/track-request.js';
import { LocalAuthGuard } from './login/local-auth.guard.js';
import { ChangePasswordDto, LoginDto, LoginResponse } from './login/login.dto.js';
import { LoginLockGuard, type LoginRequest } from './login/login-lock.guard.js';
import { loginResponse } from './login/login-response.js';
import { LoginThrottlerGuard } from './login/login-throttler.guard.js';
import { LoginTokensService } from './login/login-tokens.service.js';
import { PasswordChangeService } from './login/password-change.service.js';
import { OfAuth } from './tokens/checks-revocation.decorator.js';
import { CurrentUser, type Principal } from './tokens/current-user.decorator.js';
import { RevokeDto, RevokeResponse } from './tokens/revoke.dto.js';
import { TokensService } from './tokens/tokens.service.js';

/** Issues access tokens for passwords, and revokes them. */
@OfAuth()
@Controller({ path: 'auth', version: '1' })
export class AuthController {
  constructor(
    private readonly logins: LoginTokensService,
    private readonly passwordChanges: PasswordChangeService,
    private readonly tokens: TokensService,
  ) {}

  @Public()
  @Post('login')
  @HttpCode(200)
  @ApiTags('Login')
  @ApiOperation({
    summary: 'Log in',
    description:
      'Issues an access token for username and password, valid for two hours. Earlier tokens stay valid. ' +
      'Too many failures lock the login for a while.',
  })
  @ApiBody({ type: LoginDto })
  @ApiResponses(LoginResponse, 401, 403, 429)
  @UseGuards(LoginThrottlerGuard, LoginLockGuard, LocalAuthGuard)
  async login(@Req() { user }: LoginRequest): Promise<LoginResponse> {
    return loginResponse(await this.logins.issue(user));
  }

  @Post('password')
  @HttpCode(200)
  @ApiTags('Login')
  @ApiOperation({
    summary: 'Change the own password',
    description:
      "Ends all of the caller's tokens and issues a fresh one. A wrong current password counts as " +
      'a failed login.',
  })
  @ApiResponses(LoginResponse, 401, 403, 429)
  async changePassword(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Body() { current_password: current, new_password: next }: ChangePasswordDto,
  ): Promise<LoginResponse> {
    const passwords = { current, next };
    return loginResponse(await this.passwordChanges.change(principal, clientAddress, passwords));
  }

  @Post('revoke')
  @HttpCode(200)
  @ApiTags('Logout')
  @ApiOperation({
    summary: 'Log out',
    description: "Revokes the presented token, or all of the caller's tokens.",
  })
  @ApiBody({ type: RevokeDto, required: false })
  @ApiResponses(RevokeResponse, 401)
  async revoke(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Body() { all }: RevokeDto,
  ): Promise<RevokeResponse> {
    const which = all === true ? {} : { jti: principal.tokenId };
    return { revoked: await this.tokens.revoke(principal, which, clientAddress) };
  }
}
