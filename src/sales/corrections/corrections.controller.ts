import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../auth/tokens/current-user.decorator.js';
import { QueuedRead } from '../../database/queued-read.decorator.js';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { describeLimit, REPORT_LIMITS } from '../reports/report-limits.js';
import { ChangesQueryDto, ChangesResponse } from './changes.dto.js';
import { CorrectionsService } from './corrections.service.js';

@QueuedRead()
@ApiTags('Sales')
@Controller({ path: 'sales', version: '1' })
export class CorrectionsController {
  constructor(private readonly corrections: CorrectionsService) {}

  @Get('changes')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({
    summary: 'List the uploads that replaced figures of a range of days, newest first',
    description: describeLimit(REPORT_LIMITS.changes),
  })
  @ApiResponses(ChangesResponse, 401, 403)
  listChanges(
    @CurrentUser() { userId }: Principal,
    @Query() { from, to, restaurant_id: restaurantIds, limit = 50, after }: ChangesQueryDto,
  ): Promise<string> {
    return this.corrections.readChanges({ userId, from, to, restaurantIds }, { limit, after });
  }
}
