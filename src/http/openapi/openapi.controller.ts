import { Controller, Get } from '@nestjs/common';
import { Public } from '../public.decorator.js';
import { ApiOperation, ApiProperty, ApiResponses, ApiTags } from './openapi.decorator.js';
import { OpenApi } from './openapi-document.js';

const LIST = { type: Object, isArray: true, example: [] } as const;

class OpenApiResponse {
  @ApiProperty({ type: 'string', description: 'Version of OpenAPI', example: '3.0.3' }) readonly openapi!: string;
  @ApiProperty({ type: Object, example: { title: 'API', version: '1' } }) readonly info!: object;
  @ApiProperty(LIST) readonly servers!: object[];
  @ApiProperty(LIST) readonly tags!: object[];
  @ApiProperty({ type: Object, example: {} }) readonly paths!: object;
  @ApiProperty({ type: Object, example: {} }) readonly components!: object;
}

@ApiTags('Operation')
@Controller('api/v1')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Public()
  @Get('openapi.json')
  @ApiOperation({ operationId: 'getOpenApi', summary: 'This document' })
  @ApiResponses(OpenApiResponse)
  read(): Promise<string> {
    return this.openApi.read();
  }
}
