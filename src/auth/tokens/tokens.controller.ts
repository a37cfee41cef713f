import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { ClientAddress } from '../../http/adapter/client-address.decorator.js';
import { CurrentUser, type Principal } from './current-user.decorator.js';
import { RevokeDto, RevokeResponse } from './revoke.dto.js';
import { TokensService } from './tokens.service.js';

/** Revokes access tokens. */
@ApiTags('Logout')
@Controller('api/v1/auth')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Post('revoke')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Log out',
    description: "Revokes the presented token, or all of the caller's tokens.",
  })
  @ApiResponses(RevokeResponse, 401)
  async revoke(
    @CurrentUser() principal: Principal,
    @ClientAddress() clientAddress: string,
    @Body() { all }: RevokeDto,
  ): Promise<RevokeResponse> {
    return { revoked: await this.tokens.revoke(principal, all === true, clientAddress) };
  }
}
