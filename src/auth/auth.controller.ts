import { Body, Controller, Header, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../http/public.decorator.js';
import { ValidBody } from '../http/valid-body.guard.js';
import type { User } from '../users/user.entity.js';
import { AccountDisabled } from './auth.errors.js';
import { CurrentUser } from './current-user.decorator.js';
import { LoginDto } from './dto/login.dto.js';
import { LoginResponse, RevokeResponse } from './dto/responses.dto.js';
import { RevokeDto } from './dto/revoke.dto.js';
import { LocalAuthGuard } from './passport/local-auth.guard.js';
import type { Principal } from './principal.js';
import { TOKEN_LIFETIME_SECONDS, TokensService } from './tokens/tokens.service.js';

/** Hands out access tokens and takes them back. */
@Controller('api/v1/auth')
export class AuthController {
  constructor(private readonly tokens: TokensService) {}

  /** A password grant for a token of two hours. */
  @Public()
  @Post('login')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @UseGuards(ValidBody(LoginDto), LocalAuthGuard) // 400, then 401 or 403
  async login(@CurrentUser() user: User): Promise<LoginResponse> {
    const access_token = await this.tokens.issue(user);
    if (access_token === undefined) throw new AccountDisabled();
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS };
  }

  /** Takes back the presented token, or all of its owner's. */
  @Post('revoke')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async revoke(@CurrentUser() principal: Principal, @Body() { all }: RevokeDto): Promise<RevokeResponse> {
    if (all === true) return { revoked: await this.tokens.revokeAllOf(principal.userId) };
    await this.tokens.revoke(principal.tokenId);
    return { revoked: 1 };
  }
}
