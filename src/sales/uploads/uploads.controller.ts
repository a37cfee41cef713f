import { Body, Controller, Headers, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChecksRevocation } from '../../auth/tokens/checks-revocation.decorator.js';
import { CurrentUser, type Principal } from '../../auth/tokens/current-user.decorator.js';
import { ReadTurns } from '../../database/read-turns.js';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import type { SentUpload } from '../fields/sales-fields.js';
import { LogRestaurantGuard } from './log-restaurant.guard.js';
import { type Upload, uploadOf } from './upload.js';
import { UploadPipe } from './upload.pipe.js';
import { UploadDailyDto, UploadQueryDto, UploadResponse } from './upload-daily.dto.js';
import { importSource, uploadSource } from './upload-source.js';
import { UploadsService } from './uploads.service.js';

const OptionalHeader = (name: string, description: string) =>
  ApiHeader({ name, required: false, description, schema: { type: 'string' } });

const UploadSourceHeader = OptionalHeader(
  'X-Upload-Source',
  'Where the figures come from, such as the name of a file: percent-encoded UTF-8 of at most ' +
    '200 characters, which is kept with the upload. Leave it empty when you type figures in.',
);

const ImportSourceHeader = OptionalHeader(
  'X-Import-Source',
  'Of figures that were read from files: percent-encoded JSON with the file profile and the ' +
    'tills, such as `{"profile":"harbour-till","tills":["1"]}`. An import replaces only hours of ' +
    'the same profile and tills. Leave it out otherwise.',
);

@ApiTags('Sales')
@Controller({ path: 'sales', version: '1' })
export class UploadsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly turns: ReadTurns,
  ) {}

  @Post('upload-daily')
  @ChecksRevocation()
  @UseGuards(LogRestaurantGuard)
  @ApiOperation({
    summary: 'Upload the hourly sales of one restaurant and one date',
    description:
      'Saves all records or none. Hours that were sent before are overwritten, the others of the ' +
      'day stay. It is safe to retry. With `expected_version` it is saved only if the day still has ' +
      'that version; else 409, and nothing is saved.',
  })
  @UploadSourceHeader
  @ImportSourceHeader
  @ApiBody({ type: UploadDailyDto })
  @ApiResponses(UploadResponse, 401, 403, 409, 413)
  async uploadDaily(
    @CurrentUser() principal: Principal,
    @Body(UploadPipe) { records }: SentUpload,
    @Query() { dry_run: isDryRun = false, expected_version }: UploadQueryDto,
    @Headers('X-Upload-Source') source?: string,
    @Headers('X-Import-Source') importHeader?: string,
  ): Promise<UploadResponse> {
    const { userId, tokenId, clientAddress } = principal;
    const sender = { userId, checksToken: true, tokenId };
    const upload = uploadOf(records, sender, clientAddress, {
      source: uploadSource(source),
      importSource: importSource(importHeader),
      expectedVersion: expected_version,
    });
    if (!isDryRun) return responseFor(upload, await this.uploads.uploadDay(upload), 'saved');
    const preview = await this.turns.run(userId, () => this.uploads.previewDay(upload));
    const { name, version, changes, warnings, stored } = preview;
    return { ...responseFor(upload, name, 'would be saved'), version, changes, warnings, stored };
  }
}

function responseFor({ restaurantId, date, records }: Upload, name: string, outcome: string) {
  const processed = records.length;
  const noun = processed === 1 ? 'record' : 'records';
  const message = `${processed} hourly ${noun} ${outcome} for restaurant ${restaurantId} (${name}) on ${date}`;
  return { success: true, processed, message } as const;
}
