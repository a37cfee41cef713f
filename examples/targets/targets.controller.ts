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
import { QueuedRead } from '../../src/database/queued-read.decorator.js';
import type { Target } from './target.entity.js';
import { TargetDto, TargetPathDto, TargetsQueryDto, TargetsResponse } from './targets.dto.js';
import { TargetsService } from './targets.service.js';

/** Serves what head office expects of its restaurants. */
@ApiTags('Targets')
@Controller({ path: 'targets', version: '1' })
export class TargetsController {
  constructor(private readonly targets: TargetsService) {}

  @Post()
  @ApiOperation({ summary: 'Set the turnover expected of a restaurant on a day' })
  @ApiCreatedResponse({ type: TargetDto })
  @ApiUnauthorizedResponse()
  @ApiForbiddenResponse()
  @ApiConflictResponse()
  async createTarget(
    @CurrentUser() { userId }: Principal,
    @Body() target: TargetDto,
  ): Promise<TargetDto> {
    const { restaurant_id: restaurantId, amount } = target;
    await this.targets.create(userId, { restaurantId, amount });
    return target;
  }

  @QueuedRead()
  @Get(':restaurant_id')
  @ApiOperation({ summary: 'Read the turnover expected of a restaurant on a day' })
  @ApiResponses(TargetDto, 401, 403)
  async readTarget(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id: restaurantId }: TargetPathDto,
  ): Promise<TargetDto> {
    return toDto(await this.targets.get(userId, restaurantId));
  }

  @QueuedRead()
  @Get()
  @ApiOperation({ summary: 'List the targets, page by page' })
  @ApiResponses(TargetsResponse, 401)
  async listTargets(@Query() { limit, after }: TargetsQueryDto): Promise<TargetsResponse> {
    const { items, next } = await this.targets.list({ limit, after });
    return { targets: items.map(toDto), next };
  }
}

function toDto({ restaurantId, amount }: Target): TargetDto {
  return { restaurant_id: restaurantId, amount };
}
