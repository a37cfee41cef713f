import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiOperation,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import type { SalesTarget } from './sales-target.entity.js';
import {
  SalesTargetDto,
  SalesTargetPathDto,
  SalesTargetResponse,
  SalesTargetsQueryDto,
  SalesTargetsResponse,
} from './sales-targets.dto.js';
import { SalesTargetsService } from './sales-targets.service.js';

/** Serves what head office expects of its restaurants. */
@ApiTags('Sales targets')
@Controller({ path: 'sales-targets', version: '1' })
export class SalesTargetsController {
  constructor(private readonly salesTargets: SalesTargetsService) {}

  @Post()
  @ApiOperation({ summary: 'Set the turnover expected of a restaurant on a day' })
  @ApiCreatedResponse({ type: SalesTargetResponse })
  @ApiUnauthorizedResponse()
  @ApiForbiddenResponse()
  @ApiConflictResponse()
  async createSalesTarget(
    @CurrentUser() { userId }: Principal,
    @Body() { restaurant_id: restaurantId, amount }: SalesTargetDto,
  ): Promise<SalesTargetResponse> {
    await this.salesTargets.create(userId, { restaurantId, amount });
    return toDto({ restaurantId, amount, state: 'proposed' });
  }

  @Post(':restaurant_id/approve')
  @ApiOperation({ summary: 'Approve the proposed sales target of a restaurant' })
  @ApiResponses(SalesTargetResponse, 401, 403, 409)
  async approveSalesTarget(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id: restaurantId }: SalesTargetPathDto,
  ): Promise<SalesTargetResponse> {
    return toDto(await this.salesTargets.approve(userId, restaurantId));
  }

  @Get(':restaurant_id')
  @ApiOperation({ summary: 'Read the turnover expected of a restaurant on a day' })
  @ApiResponses(SalesTargetResponse, 401, 403)
  async readSalesTarget(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id: restaurantId }: SalesTargetPathDto,
  ): Promise<SalesTargetResponse> {
    return toDto(await this.salesTargets.get(userId, restaurantId));
  }

  @Get()
  @ApiOperation({ summary: 'List the sales targets of the callers restaurants, page by page' })
  @ApiResponses(SalesTargetsResponse, 401)
  async listSalesTargets(
    @CurrentUser() { userId }: Principal,
    @Query() { limit, after, state }: SalesTargetsQueryDto,
  ): Promise<SalesTargetsResponse> {
    const { items, next } = await this.salesTargets.list(userId, { limit, after }, state);
    return { sales_targets: items.map(toDto), next };
  }
}

function toDto({ restaurantId, amount, state }: SalesTarget): SalesTargetResponse {
  return { restaurant_id: restaurantId, amount, state };
}
