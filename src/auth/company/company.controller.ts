import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PeopleConfig } from '../../config/people.config.js';
import { UnparsedBody } from '../../http/body/json-body.guard.js';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { Public } from '../../http/public.decorator.js';
import { ClientAddress } from '../../http/requests/track-request.js';
import { RevokeResponse } from '../tokens/sessions.dto.js';
import {
  BeginCompanyLoginDto,
  BeginCompanyLoginResponse,
  CompanyLoginResponse,
  CompanyLogoutDto,
  CompleteCompanyLoginDto,
  LoginWaysResponse,
} from './company.dto.js';
import { CompanyAccountsService } from './company-accounts.service.js';
import { CompanyProviderService } from './company-provider.service.js';

/** Signs people in with their company account. */
@Public()
@ApiTags('Login')
@Controller({ path: 'auth', version: '1' })
export class CompanyController {
  constructor(
    private readonly accounts: CompanyAccountsService,
    private readonly provider: CompanyProviderService,
    private readonly config: PeopleConfig,
  ) {}

  @Get('ways')
  @ApiOperation({ summary: 'Read how people may sign in' })
  @ApiResponses(LoginWaysResponse)
  readWays(): LoginWaysResponse {
    const company = this.config.COMPANY_LOGIN_ISSUER !== '';
    return {
      password: !company || this.config.COMPANY_LOGIN_AND_PASSWORDS,
      company,
      sign_out_minutes: this.config.SIGN_OUT_MINUTES,
    };
  }

  @Post('company/begin')
  @ApiOperation({
    summary: 'Begin to sign in with the company account',
    description: 'Keep `login` in the tab, and send its browser to the address.',
  })
  @ApiResponses(BeginCompanyLoginResponse, 404)
  beginCompanyLogin(@Body() { prompt }: BeginCompanyLoginDto): Promise<BeginCompanyLoginResponse> {
    return this.provider.begin(prompt === 'login');
  }

  @Post('company/complete')
  @ApiOperation({
    summary: 'Complete the sign-in with the company account',
    description: 'Takes what the provider sent the browser back with, once.',
  })
  @ApiResponses(CompanyLoginResponse, 403, 404)
  completeCompanyLogin(
    @ClientAddress() clientAddress: string,
    @Body() { login: ticket, answer }: CompleteCompanyLoginDto,
  ): Promise<CompanyLoginResponse> {
    return this.accounts.logIn(ticket, answer, clientAddress);
  }

  @Post('company/logout')
  @UnparsedBody() // the module parses the form
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiOperation({
    summary: 'End the sessions of a person, as the provider says',
    description: 'The provider calls it: OpenID Connect Back-Channel Logout 1.0.',
  })
  @ApiResponses(RevokeResponse, 404)
  async logOutOfCompany(
    @Body() { logout_token: token }: CompanyLogoutDto,
  ): Promise<RevokeResponse> {
    return { revoked: await this.accounts.logOut(token) };
  }
}
