import {
  Body,
  Controller,
  Delete,
  Get,
  type MessageEvent,
  Param,
  Put,
  Query,
  Res,
  Sse,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { interval, map, merge, type Observable, takeUntil, timer } from 'rxjs';
import { CurrentUser, type Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import { Probe } from '../../src/http/requests/probe.decorator.js';
import type { CashCountLine } from './cash-count-line.entity.js';
import { CashCountReaderService } from './cash-count-reader.service.js';
import {
  CashCountLineDto,
  CashCountLinesQueryDto,
  CashCountLinesResponse,
  CashCountPathDto,
  CashCountResponse,
  PutCashCountDto,
  writePosition,
} from './cash-counts.dto.js';
import { CashCountsService } from './cash-counts.service.js';

/** Less than the 6 seconds after which the proxies of deploy/ close a silent response. */
const HEARTBEAT_MS = 3000;
/** A stream ends after ten minutes: its reader connects anew, and the token is checked again. */
const STREAM_MS = 600_000;

/** Serves what restaurants count in their drawers at the end of a day. */
@ApiTags('Cash counts')
@Controller({ path: 'cash-counts', version: '1' })
export class CashCountsController {
  constructor(
    private readonly service: CashCountsService,
    private readonly reader: CashCountReaderService,
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
    const isNew = await this.service.replace({ restaurantId: restaurant_id, date, userId }, lines);
    response.status(isNew ? 201 : 200);
    return this.readCashCount({ userId }, { restaurant_id, date });
  }

  @Get(':restaurant_id/:date')
  @ApiOperation({ summary: 'Read the cash count of a day, with its exact total' })
  @ApiResponses(CashCountResponse, 401, 403)
  async readCashCount(
    @CurrentUser() { userId }: Pick<Principal, 'userId'>,
    @Param() { restaurant_id, date }: CashCountPathDto,
  ): Promise<CashCountResponse> {
    const { lines, total } = await this.reader.read(userId, restaurant_id, date);
    return { restaurant_id, date, lines: lines.map(toDto), total };
  }

  @Get()
  @ApiOperation({ summary: 'List the lines of cash counts by date and drawer, page by page' })
  @ApiResponses(CashCountLinesResponse, 401, 403)
  async listCashCountLines(
    @CurrentUser() { userId }: Principal,
    @Query() { restaurant_id, from, to, drawer, limit, after }: CashCountLinesQueryDto,
  ): Promise<CashCountLinesResponse> {
    const selection = { restaurantId: restaurant_id, from, to, drawer };
    const { items, next } = await this.reader.list(userId, selection, { limit, after });
    const lines = items.map((line) => Object.assign(toDto(line), { date: line.date }));
    return { lines, next: next && writePosition(next) };
  }

  /** A stream says `@Probe()`, or it would hold a request slot as long as it is open. */
  @Probe()
  @Sse('today')
  @ApiOperation({ summary: 'Watch the cash counts of today come in' })
  @ApiOkResponse({
    content: { 'text/event-stream': { schema: { type: 'string', example: 'data: {}\n\n' } } },
  })
  @ApiUnauthorizedResponse()
  watchCashCountsOfToday(@CurrentUser() { userId }: Principal): Observable<MessageEvent> {
    const changes = this.reader
      .watchToday(userId)
      .pipe(map(({ date, restaurantIds }) => ({ data: { date, restaurant_ids: restaurantIds } })));
    const heartbeats = interval(HEARTBEAT_MS).pipe(map(() => ({ comment: 'still here' })));
    return merge(changes, heartbeats).pipe(takeUntil(timer(STREAM_MS)));
  }

  @Delete(':restaurant_id/:date')
  @ApiOperation({ summary: 'Delete the cash count of a day' })
  @ApiResponses(undefined, 401, 403)
  async deleteCashCount(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id, date }: CashCountPathDto,
  ): Promise<void> {
    await this.service.delete({ restaurantId: restaurant_id, date, userId });
  }
}

function toDto({ drawer, amount, kind, note }: CashCountLine): CashCountLineDto {
  return { drawer, amount, kind, ...(note !== null && { note }) };
}
