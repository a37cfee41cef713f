import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { Controller, Get, Header, Param, Put, Query, Req, StreamableFile } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentUser, type Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { UnparsedBody } from '../../src/http/body/json-body.guard.js';
import { readBytes } from '../../src/http/body/read-body.js';
import { NotUtf8 } from '../../src/http/errors/http.errors.js';
import { ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import { validateDto } from '../../src/http/validation/request.pipe.js';
import { AuditorsOnly } from './auditors-only.decorator.js';
import { parseLines } from './cash-count-csv.js';
import { CashCountReaderService } from './cash-count-reader.service.js';
import { CashCountDaysDto, CashCountPathDto, PutCashCountDto } from './cash-counts.dto.js';
import { NotCsv } from './cash-counts.errors.js';
import { CashCountsService } from './cash-counts.service.js';

const MAX_FILE_BYTES = 100_000;

/** Serves and takes cash counts as CSV. */
@ApiTags('Cash counts')
@Controller({ path: 'cash-counts', version: '1' })
export class CashCountFilesController {
  constructor(
    private readonly service: CashCountsService,
    private readonly reader: CashCountReaderService,
  ) {}

  @AuditorsOnly()
  @Get('export')
  @Header('Content-Disposition', 'attachment; filename="cash-counts.csv"')
  @ApiOperation({ summary: 'Export all cash counts as CSV, for auditors' })
  @ApiOkResponse({
    content: { 'text/csv': { schema: { type: 'string', example: 'restaurant_id,date,drawer\n' } } },
    headers: {
      'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
    },
  })
  @ApiUnauthorizedResponse()
  async exportCashCounts(@Query() { from, to }: CashCountDaysDto): Promise<StreamableFile> {
    const csv = await this.reader.exportCsv({ from, to });
    return new StreamableFile(Readable.from(csv), { type: 'text/csv' });
  }

  @Put(':restaurant_id/:date/csv')
  @UnparsedBody()
  @ApiOperation({ summary: 'Replace the cash count of a day by a CSV file' })
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string', example: 'drawer,amount\nbar,312.40\n' } })
  @ApiResponses(undefined, 401, 403)
  async putCashCountFile(
    @CurrentUser() { userId }: Principal,
    @Param() { restaurant_id, date }: CashCountPathDto,
    @Req() request: Request,
  ): Promise<void> {
    if (!request.is('text/csv')) throw new NotCsv();
    const bytes = await readBytes(request, MAX_FILE_BYTES);
    if (!isUtf8(bytes)) throw new NotUtf8();
    const { lines } = await validateDto(PutCashCountDto, { lines: parseLines(bytes.toString()) });
    await this.service.replace({ restaurantId: restaurant_id, date, userId }, lines);
  }
}
