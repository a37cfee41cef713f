import { Controller, Get } from '@nestjs/common';
import { Public } from '../public.decorator.js';
import { ApiOperation, ApiProperty, ApiResponses, ApiTags } from './openapi.decorator.js';
import { OpenApi } from './openapi.js';

const OBJECT = { type: 'object', additionalProperties: true } as const;
const LIST = { type: 'array', items: OBJECT, example: [] } as const;

class OpenApiResponse {
  @ApiProperty({ type: 'string', description: 'Version of OpenAPI', example: '3.0.3' }) readonly openapi!: string;
  @ApiProperty({ ...OBJECT, example: { title: 'API', version: '1' } }) readonly info!: object;
  @ApiProperty(LIST) readonly servers!: object[];
  @ApiProperty(LIST) readonly tags!: object[];
  @ApiProperty({ ...OBJECT, example: {} }) readonly paths!: object;
  @ApiProperty({ ...OBJECT, example: {} }) readonly components!: object;
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
