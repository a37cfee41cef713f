import { Controller, Get, Header, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../auth/tokens/current-user.decorator.js';
import { ReadTurns } from '../../database/read-turns.js';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import { ChangesService } from './changes.service.js';
import { DaysService } from './days.service.js';
import { optionalRange } from './report-filter.js';
import { describeLimit, REPORT_LIMITS } from './report-limits.js';
import { ReportsService } from './reports.service.js';
import {
  CalendarQueryDto,
  ChangesQueryDto,
  DayQueryDto,
  MissingQueryDto,
  TotalsQueryDto,
  UploadsQueryDto,
} from './reports-queries.dto.js';
import {
  CalendarResponse,
  ChangesResponse,
  DayResponse,
  MissingResponse,
  TotalsResponse,
  UploadsResponse,
} from './reports-responses.dto.js';
import { TotalsService } from './totals.service.js';

const JSON_TEXT = 'application/json; charset=utf-8';

/** Responses with amounts are JSON text: JavaScript numbers would lose digits. */
@UseInterceptors(ReadTurns)
@ApiTags('Sales')
@Controller({ path: 'sales', version: '1' })
export class ReportsController {
  constructor(
    private readonly days: DaysService,
    private readonly reports: ReportsService,
    private readonly totals: TotalsService,
    private readonly changes: ChangesService,
  ) {}

  @Get('daily')
  @Header('Content-Type', JSON_TEXT)
  @ApiOperation({ summary: 'Read the sales of one restaurant and one date' })
  @ApiResponses(DayResponse, 401, 403)
  getDay(
    @CurrentUser() { userId }: Principal,
    @Query() { restaurant_id, date }: DayQueryDto,
  ): Promise<string> {
    return this.days.readDay(userId, { restaurantId: restaurant_id, date });
  }

  @Get('uploads')
  @Header('Content-Type', JSON_TEXT)
  @ApiOperation({ summary: 'List the uploads of one restaurant and one date, newest first' })
  @ApiResponses(UploadsResponse, 401, 403)
  listUploads(
    @CurrentUser() { userId }: Principal,
    @Query() { restaurant_id, date, limit = 50, after }: UploadsQueryDto,
  ): Promise<string> {
    const day = { restaurantId: restaurant_id, date };
    return this.days.readUploads(userId, day, { limit, after });
  }

  @Get('missing')
  @ApiOperation({
    summary: 'List the days with missing hours, without closed days',
    description: describeLimit(REPORT_LIMITS.missing),
  })
  @ApiResponses(MissingResponse, 401, 403)
  listMissing(
    @CurrentUser() { userId }: Principal,
    @Query() query: MissingQueryDto,
  ): Promise<MissingResponse> {
    const { from, to, restaurant_id: restaurantIds, limit = 1000, after } = query;
    return this.reports.findMissing({ userId, from, to, restaurantIds }, { limit, after });
  }

  @Get('calendar')
  @ApiOperation({
    summary: 'Show which days are complete, by restaurant',
    description: describeLimit(REPORT_LIMITS.calendar),
  })
  @ApiResponses(CalendarResponse, 401, 403)
  getCalendar(
    @CurrentUser() { userId }: Principal,
    @Query() query: CalendarQueryDto,
  ): Promise<CalendarResponse> {
    const { from, to, restaurant_id: restaurantIds, limit = 1000, after } = query;
    return this.reports.readCalendar({ userId, from, to, restaurantIds }, { limit, after });
  }

  @Get('totals')
  @Header('Content-Type', JSON_TEXT)
  @ApiOperation({
    summary: 'Add up the sales of a range by day, week, month, restaurant or hour',
    description: `${describeLimit(REPORT_LIMITS.totals)} By hour: ${describeLimit(REPORT_LIMITS.hourlyTotals)}`,
  })
  @ApiResponses(TotalsResponse, 401, 403)
  getTotals(@CurrentUser() { userId }: Principal, @Query() query: TotalsQueryDto): Promise<string> {
    const { from, to, restaurant_id: restaurantIds, group_by: groupings = ['date'] } = query;
    const { before_from, before_to, fields: fieldNames } = query;
    const before = optionalRange('before_', before_from, before_to);
    const filter = { userId, from, to, restaurantIds };
    return this.totals.readTotals(filter, { groupings, before, fieldNames });
  }

  @Get('changes')
  @Header('Content-Type', JSON_TEXT)
  @ApiOperation({
    summary: 'List the uploads that replaced figures of a range of days, or in one, newest first',
    description: describeLimit(REPORT_LIMITS.changes),
  })
  @ApiResponses(ChangesResponse, 401, 403)
  listChanges(
    @CurrentUser() { userId }: Principal,
    @Query() query: ChangesQueryDto,
  ): Promise<string> {
    const { restaurant_id: restaurantIds, limit = 50, after } = query;
    const of = optionalRange('', query.from, query.to);
    const made = optionalRange('made_', query.made_from, query.made_to);
    return this.changes.readChanges({ userId, restaurantIds, of, made }, { limit, after });
  }
}
