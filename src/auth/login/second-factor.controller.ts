import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { OfAuth } from '../tokens/checks-revocation.decorator.js';
import { CurrentUser, type Principal } from '../tokens/current-user.decorator.js';
import { LoginService } from './login.service.js';
import {
  ConfirmSecondFactorDto,
  NewSecondFactorResponse,
  RemoveSecondFactorDto,
  SecondFactorConfirmedResponse,
  SecondFactorRemovedResponse,
  SecondFactorResponse,
} from './second-factor.dto.js';
import { SecondFactorService } from './second-factor.service.js';

/** Sets up the second factor of a person who signs in with a password. */
@OfAuth()
@ApiTags('Login')
@Controller({ path: 'auth/second-factor', version: '1' })
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorService,
    private readonly logins: LoginService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read whether there is a second factor' })
  @ApiResponses(SecondFactorResponse, 401)
  readSecondFactor(@CurrentUser() caller: Principal): Promise<SecondFactorResponse> {
    return this.secondFactors.read(caller);
  }

  @Post()
  @ApiOperation({ summary: 'Make a secret for an authenticator app, to be confirmed by a code' })
  @ApiResponses(NewSecondFactorResponse, 401, 404, 409)
  makeSecondFactor(@CurrentUser() caller: Principal): Promise<NewSecondFactorResponse> {
    return this.secondFactors.begin(caller);
  }

  @Post('confirm')
  @ApiOperation({
    summary: 'Confirm the second factor by a code',
    description:
      "From now on a login needs `code` too. Ends all of the caller's tokens and issues a fresh one.",
  })
  @ApiResponses(SecondFactorConfirmedResponse, 401, 403)
  confirmSecondFactor(
    @CurrentUser() caller: Principal,
    @Body() { code }: ConfirmSecondFactorDto,
  ): Promise<SecondFactorConfirmedResponse> {
    return this.secondFactors.confirm(caller, code);
  }

  @Delete()
  @ApiOperation({
    summary: 'Remove the second factor',
    description: 'A wrong password or code counts as a failed login.',
  })
  @ApiResponses(SecondFactorRemovedResponse, 401, 403, 429)
  async removeSecondFactor(
    @CurrentUser() caller: Principal,
    @Body() { current_password: password, code }: RemoveSecondFactorDto,
  ): Promise<SecondFactorRemovedResponse> {
    return { removed: await this.logins.removeSecondFactor(caller, password, code) };
  }
}
