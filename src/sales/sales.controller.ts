import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentUser, type Principal } from '../auth/current-user.decorator.js';
import { JudgesToken } from '../auth/judges-token.decorator.js';
import { ClientAddress } from '../http/client-address.decorator.js';
import { Answers, Summary } from '../http/openapi.decorator.js';
import type { LogFields } from '../http/tracked-response.js';
import { LogLine } from '../observability/log-line.decorator.js';
import { UploadResponse } from './dto/responses.dto.js';
import { UploadDailyDto } from './dto/upload-daily.dto.js';
import { SalesService } from './sales.service.js';

/** What restaurants hand in. */
@Controller('api/v1/sales')
export class SalesController {
  constructor(private readonly sales: SalesService) {}

  @Post('upload-daily')
  @HttpCode(200)
  @JudgesToken()
  @Summary('Saves up to 24 hourly records of one restaurant and one date; hours sent before are overwritten')
  @Answers(UploadResponse, 400, 401, 403, 413)
  async uploadDaily(
    @CurrentUser() { userId, tokenId }: Principal,
    @ClientAddress() clientAddress: string,
    @LogLine() line: LogFields,
    @Body() { records }: UploadDailyDto,
  ): Promise<UploadResponse> {
    const { restaurant_id: restaurantId, date } = records[0]!;
    line.restaurant = restaurantId;
    const name = await this.sales.uploadDay({ restaurantId, date, userId, tokenId, clientAddress, records });
    const processed = records.length;
    const message = `${processed} hourly ${processed === 1 ? 'record' : 'records'} saved for restaurant ${restaurantId} (${name}) on ${date}`;
    return { success: true, processed, message };
  }
}
