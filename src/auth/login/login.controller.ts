import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ClientAddress } from '../../http/adapter/client-address.decorator.js';
import { RequestLogFields } from '../../http/adapter/log-fields.decorator.js';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { Public } from '../../http/public.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from '../tokens/tokens.service.js';
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
  @ApiResponses(LoginResponse, 401, 403, 429)
  async login(
    @Body() { username, password }: LoginDto,
    @ClientAddress() clientAddress: string,
    @RequestLogFields() logFields: { login?: string },
  ): Promise<LoginResponse> {
    const attempt = await this.logins.find(username, clientAddress);
    logFields.login = attempt.accountKey;
    await this.logins.authenticate(attempt, password);
    const access_token = await this.logins.issueToken(attempt);
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS };
  }
}
