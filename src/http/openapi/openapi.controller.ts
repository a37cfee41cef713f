import { Controller, Get } from '@nestjs/common';
import { ApiProperty } from './openapi.decorator.js';
import { ApiOperation, ApiResponses } from './openapi.decorator.js';
import { OpenApi } from './openapi.js';
import { Public } from '../public.decorator.js';

/** An OpenAPI document, as far as it describes itself. */
class OpenApiResponse {
  @ApiProperty({ type: 'string', description: 'The version of the language it is written in', example: '3.0.3' })
  readonly openapi!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What the API is' })
  readonly info!: object;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What every path takes and answers' })
  readonly paths!: object;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What the paths refer to' })
  readonly components!: object;
}

/** The API's description of itself. */
@Controller('api/v1')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Public()
  @Get('openapi.json')
  @ApiOperation({ summary: 'This document' })
  @ApiResponses(OpenApiResponse)
  read(): Promise<string> {
    return this.openApi.read();
  }
}
