import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponses, ApiTags } from '../http/openapi/openapi.decorator.js';
import { ClientAddress } from '../http/server/client-address.decorator.js';
import { Public } from '../http/public.decorator.js';
import { ValidBodyGuard } from '../http/validation/request-validation.pipe.js';
import { AuthService } from './auth.service.js';
import { CurrentUser, type Principal } from './current-user.decorator.js';
import { LoginDto, LoginResponse, RevokeDto, RevokeResponse } from './dto/auth.dto.js';
import { LocalAuthGuard } from './passport/local.strategy.js';
import type { LoginAttempt } from './throttling/login-attempt.js';
import { LoginThrottlerGuard } from './throttling/login-throttler.guard.js';
import { TOKEN_LIFETIME_SECONDS, TokensService } from './tokens/tokens.service.js';

/** Issues and revokes access tokens. */
@ApiTags('Login')
@Controller('api/v1/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly tokens: TokensService,
  ) {}

  @Public()
  @Post('login')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Log in',
    description:
      'Issues an access token for username and password, valid for two hours. Earlier tokens stay valid. ' +
      'Too many failures lock the login for a while.',
  })
  @ApiResponses(LoginResponse, 401, 403, 429)
  @UseGuards(new ValidBodyGuard(LoginDto), LoginThrottlerGuard, LocalAuthGuard) // 400, 429, 401 or 403: in this order
  async login(@CurrentUser() attempt: LoginAttempt): Promise<LoginResponse> {
    const access_token = await this.auth.issueToken(attempt);
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS };
  }

  @Post('revoke')
  @ApiTags('Logout')
  @HttpCode(200)
  @ApiOperation({ summary: 'Log out', description: "Revokes the presented token, or all of the caller's tokens." })
  @ApiResponses(RevokeResponse, 401)
  async revoke(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Body() { all }: RevokeDto,
  ): Promise<RevokeResponse> {
    return { revoked: await this.tokens.revoke(principal, all === true, clientAddress) };
  }
}
