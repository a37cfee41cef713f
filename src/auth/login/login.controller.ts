import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { Public } from '../../http/public.decorator.js';
import { CurrentUser } from '../tokens/current-user.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from '../tokens/tokens.service.js';
import { LocalAuthGuard } from './local-auth.guard.js';
import type { LoginAttempt } from './login-failures.service.js';
import { LoginDto, LoginResponse } from './login.dto.js';
import { LoginService } from './login.service.js';

/** Issues access tokens for passwords. */
@ApiTags('Login')
@Controller('api/v1/auth')
export class LoginController {
  constructor(private readonly logins: LoginService) {}

  @Public()
  @Post('login')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Log in',
    description:
      'Issues an access token for username and password, valid for two hours. Earlier tokens stay valid. ' +
      'Too many failures lock the login for a while.',
  })
  @ApiBody({ type: LoginDto })
  @ApiResponses(LoginResponse, 401, 403, 429)
  @UseGuards(LocalAuthGuard)
  async login(@CurrentUser() attempt: LoginAttempt): Promise<LoginResponse> {
    const access_token = await this.logins.issueToken(attempt);
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS };
  }
}
