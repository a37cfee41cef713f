import { Controller, Delete, Get, Param, ParseUUIDPipe } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { ClientAddress } from '../../http/requests/track-request.js';
import { OfAuth } from './checks-revocation.decorator.js';
import { CurrentUser, type Principal } from './current-user.decorator.js';
import { RevokeResponse } from './revoke.dto.js';
import { SessionsResponse } from './sessions.dto.js';
import { TokensService } from './tokens.service.js';

/** Shows users where they are signed in, and ends sessions. */
@OfAuth()
@ApiTags('Logout')
@Controller({ path: 'auth/sessions', version: '1' })
export class SessionsController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @ApiOperation({ summary: 'List the own sessions' })
  @ApiResponses(SessionsResponse, 401)
  async listSessions(@CurrentUser() { userId, tokenId }: Principal): Promise<SessionsResponse> {
    const tokens = await this.tokens.list(userId);
    const sessions = tokens.map(({ jti, issuedAt, clientAddress }) => {
      const current = jti === tokenId;
      return { id: jti, since: issuedAt.toISOString(), address: clientAddress, current };
    });
    return { sessions };
  }

  @Delete(':id')
  @ApiOperation({ summary: 'End one of the own sessions' })
  @ApiResponses(RevokeResponse, 400, 401)
  async endSession(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Param('id', ParseUUIDPipe) jti: string,
  ): Promise<RevokeResponse> {
    return { revoked: await this.tokens.revoke(principal, { jti }, clientAddress) };
  }
}
