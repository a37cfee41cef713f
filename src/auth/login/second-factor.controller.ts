import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { ClientAddress } from '../../http/requests/track-request.js';
import { OfAuth } from '../tokens/checks-revocation.decorator.js';
import { CurrentUser, type Principal } from '../tokens/current-user.decorator.js';
import { LoginService } from './login.service.js';
import { loginResponse } from './login-response.js';
import {
  ConfirmSecondFactorDto,
  NewSecondFactorResponse,
  RemoveSecondFactorDto,
  SecondFactorConfirmedResponse,
  SecondFactorRemovedResponse,
  SecondFactorResponse,
} from './second-factor.dto.js';
import { SecondFactorChangeService } from './second-factor-change.service.js';

const ISSUER = 'Hourly Sales';

/** Sets up the second factor of a person who signs in with a password. */
@OfAuth()
@ApiTags('Login')
@Controller({ path: 'auth/second-factor', version: '1' })
export class SecondFactorController {
  constructor(
    private readonly changes: SecondFactorChangeService,
    private readonly logins: LoginService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read whether there is a second factor' })
  @ApiResponses(SecondFactorResponse, 401)
  async readSecondFactor(@CurrentUser() principal: Principal): Promise<SecondFactorResponse> {
    const { isOffered, confirmedAt, recoveryCodes } = await this.changes.read(principal);
    return {
      offered: isOffered,
      confirmed_at: confirmedAt?.toISOString() ?? null,
      recovery_codes_left: recoveryCodes,
    };
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Make a secret for an authenticator app, to be confirmed by a code' })
  @ApiResponses(NewSecondFactorResponse, 401, 404, 409)
  async makeSecondFactor(@CurrentUser() principal: Principal): Promise<NewSecondFactorResponse> {
    const { secret, username } = await this.changes.begin(principal);
    const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(username)}`;
    const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(ISSUER)}`;
    return { secret, uri };
  }

  @Post('confirm')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Confirm the second factor by a code',
    description:
      "From now on a login needs `code` too. Ends all of the caller's tokens and issues a fresh one.",
  })
  @ApiResponses(SecondFactorConfirmedResponse, 401, 403)
  async confirmSecondFactor(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Body() { code }: ConfirmSecondFactorDto,
  ): Promise<SecondFactorConfirmedResponse> {
    const { recoveryCodes, ...login } = await this.changes.confirm(principal, clientAddress, code);
    return Object.assign(loginResponse(login), { recovery_codes: recoveryCodes });
  }

  @Delete()
  @ApiOperation({
    summary: 'Remove the second factor',
    description: 'A wrong password or code counts as a failed login.',
  })
  @ApiResponses(SecondFactorRemovedResponse, 401, 403, 429)
  async removeSecondFactor(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Body() { current_password: password, code }: RemoveSecondFactorDto,
  ): Promise<SecondFactorRemovedResponse> {
    const { username } = await this.changes.read(principal);
    await this.logins.confirmRemoval({ username }, clientAddress, { password, code });
    return { removed: await this.changes.remove(principal, clientAddress) };
  }
}
