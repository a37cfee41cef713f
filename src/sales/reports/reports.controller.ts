import { Controller, Get, Query } from '@nestjs/common';
import { CurrentUser, type Principal } from '../../auth/current-user.decorator.js';
import { ApiOperation, ApiResponses, ApiTags } from '../../http/openapi/openapi.decorator.js';
import {
  CalendarQueryDto,
  DayQueryDto,
  MissingQueryDto,
  TotalsQueryDto,
  UploadsQueryDto,
} from './dto/reports-queries.dto.js';
import {
  CalendarResponse,
  DayResponse,
  MissingResponse,
  TotalsResponse,
  UploadsResponse,
} from './dto/reports-responses.dto.js';
import { ReportsService } from './reports.service.js';

/** Responses with amounts are JSON text from PostgreSQL: JavaScript numbers would lose digits. */
@ApiTags('Sales')
@Controller('api/v1/sales')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('daily')
  @ApiOperation({
    operationId: 'getDay',
    summary: 'Read the sales of one restaurant and one date',
    description: 'The records as they were sent, the missing hours, and exact totals.',
  })
  @ApiResponses(DayResponse, 401, 403)
  daily(@CurrentUser() { userId }: Principal, @Query() { restaurant_id, date }: DayQueryDto): Promise<string> {
    return this.reports.readDay(userId, { restaurantId: restaurant_id, date });
  }

  @Get('uploads')
  @ApiOperation({
    operationId: 'listUploads',
    summary: 'List the uploads of one restaurant and one date',
    description: 'Newest first, each with the values before and after of every hour that it changed.',
  })
  @ApiResponses(UploadsResponse, 401, 403)
  uploads(
    @CurrentUser() { userId }: Principal,
    @Query() { restaurant_id, date, limit = 50, after }: UploadsQueryDto,
  ): Promise<string> {
    return this.reports.readUploads(userId, { restaurantId: restaurant_id, date }, { limit, after });
  }

  @Get('missing')
  @ApiOperation({
    operationId: 'listMissing',
    summary: 'List the days with missing hours',
    description: "Of the caller's restaurants within a range of dates, without closed days.",
  })
  @ApiResponses(MissingResponse, 401, 403)
  async missing(
    @CurrentUser() { userId }: Principal,
    @Query() { from, to, restaurant_id, limit = 1000, after }: MissingQueryDto,
  ): Promise<MissingResponse> {
    const filter = { from, to, userId, restaurantId: restaurant_id ?? null };
    return { from, to, ...(await this.reports.findMissing(filter, { limit, after })) };
  }

  @Get('calendar')
  @ApiOperation({
    operationId: 'getCalendar',
    summary: 'Show which days are complete',
    description: 'One row per restaurant of the caller and one letter per day, within a range of dates.',
  })
  @ApiResponses(CalendarResponse, 401, 403)
  async calendar(
    @CurrentUser() { userId }: Principal,
    @Query() { from, to, restaurant_id: restaurantIds, limit = 1000, after }: CalendarQueryDto,
  ): Promise<CalendarResponse> {
    return { from, to, ...(await this.reports.readCalendar({ userId, from, to, restaurantIds }, { limit, after })) };
  }

  @Get('totals')
  @ApiOperation({
    operationId: 'getTotals',
    summary: 'Add up the sales by day',
    description: "Exact totals of the caller's restaurants for every day of a range.",
  })
  @ApiResponses(TotalsResponse, 401, 403)
  totals(
    @CurrentUser() { userId }: Principal,
    @Query() { from, to, restaurant_id: restaurantIds }: TotalsQueryDto,
  ): Promise<string> {
    return this.reports.readTotals({ userId, from, to, restaurantIds });
  }
}
