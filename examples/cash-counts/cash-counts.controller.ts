import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentUser, type Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import { QueuedRead } from '../../src/http/reads/queued-read.decorator.js';
import {
  CashCountLinesQueryDto,
  CashCountLinesResponse,
  CashCountPathDto,
  CashCountResponse,
  PutCashCountDto,
  writePosition,
} from './cash-counts.dto.js';
import { CashCountReportsService } from './cash-count-reports.service.js';
import { CashCountsService } from './cash-counts.service.js';

/** Serves what restaurants count in their drawers at the end of a day. */
@ApiTags('Cash counts')
@Controller('api/v1/cash-counts')
export class CashCountsController {
  constructor(
    private readonly counts: CashCountsService,
    private readonly reports: CashCountReportsService,
  ) {}

  @Put(':restaurant_id/:date')
  @ApiOperation({
    summary: 'Replace the cash count of a day',
    description: '201 for the first count of the day, 200 for a correction. It is safe to retry.',
  })
  @ApiCreatedResponse({ type: CashCountResponse })
  @ApiResponses(CashCountResponse, 401, 403)
  async putCashCount(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id, date }: CashCountPathDto,
    @Body() { lines }: PutCashCountDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CashCountResponse> {
    const isNew = await this.counts.replace({ restaurantId: restaurant_id, date, userId }, lines);
    response.status(isNew ? 201 : 200);
    return this.readCashCount({ userId }, { restaurant_id, date });
  }

  @QueuedRead()
  @Get(':restaurant_id/:date')
  @ApiOperation({ summary: 'Read the cash count of a day, with its exact total' })
  @ApiResponses(CashCountResponse, 401, 403)
  async readCashCount(
    @CurrentUser() { userId }: Pick<Principal, 'userId'>,
    @Param() { restaurant_id, date }: CashCountPathDto,
  ): Promise<CashCountResponse> {
    const { lines, total } = await this.reports.read(userId, restaurant_id, date);
    const shown = lines.map(({ drawer, amount }) => ({ drawer, amount }));
    return { restaurant_id, date, lines: shown, total };
  }

  @QueuedRead()
  @Get()
  @ApiOperation({ summary: 'List the lines of some days by date and drawer, page by page' })
  @ApiResponses(CashCountLinesResponse, 401, 403)
  async listCashCountLines(
    @CurrentUser() { userId }: Principal,
    @Query() { restaurant_id, from, to, limit, after }: CashCountLinesQueryDto,
  ): Promise<CashCountLinesResponse> {
    const page = { limit, after };
    const { items, next } = await this.reports.list(userId, restaurant_id, { from, to }, page);
    const lines = items.map(({ date, drawer, amount }) => ({ date, drawer, amount }));
    return { lines, next: next && writePosition(next) };
  }

  @Delete(':restaurant_id/:date')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete the cash count of a day' })
  @ApiResponses(undefined, 401, 403)
  async deleteCashCount(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id, date }: CashCountPathDto,
  ): Promise<void> {
    await this.counts.delete({ restaurantId: restaurant_id, date, userId });
  }
}
