import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentUser, type Principal } from '../../auth/tokens/current-user.decorator.js';
import { ExportsService } from './exports.service.js';
import { describeLimit, REPORT_LIMITS } from './report-limits.js';
import { ExportQueryDto } from './reports-queries.dto.js';

/** Milliseconds in which a client has to read something of an export. */
const MAX_PAUSE_MS = 60_000;

/** Serves the hours of many days as a file. */
@ApiTags('Sales')
@Controller({ path: 'sales', version: '1' })
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get('export')
  @ApiOperation({
    summary: 'Export every hour that was sent or expected as CSV, by restaurant, date and hour',
    description: `${describeLimit(REPORT_LIMITS.export)} One export of a user runs at once.`,
  })
  @ApiOkResponse({
    content: {
      'text/csv': {
        schema: { type: 'string', example: 'restaurant_id,restaurant,date,hour,status,orders\n' },
      },
    },
    headers: {
      'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
    },
  })
  @ApiResponse({ status: 401 })
  @ApiResponse({ status: 403 })
  async exportSales(
    @CurrentUser() { userId }: Principal,
    @Query() { from, to, restaurant_id: restaurantIds }: ExportQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const lines = await this.exports.export({ userId, from, to, restaurantIds });
    response.socket?.setTimeout(MAX_PAUSE_MS);
    const disposition = `attachment; filename="sales-${from}-${to}.csv"`;
    return new StreamableFile(lines, { type: 'text/csv; charset=utf-8', disposition });
  }
}
