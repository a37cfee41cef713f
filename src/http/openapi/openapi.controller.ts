import { Controller, Get } from '@nestjs/common';
import { Documented } from './api-property.decorator.js';
import { Answers, Summary } from './openapi.decorator.js';
import { OpenApi } from './openapi.js';
import { Public } from '../public.decorator.js';

/** An OpenAPI document, as far as it describes itself. */
class OpenApiResponse {
  @Documented({ type: 'string', description: 'The version of the language it is written in', example: '3.0.3' })
  readonly openapi!: string;

  @Documented({ type: 'object', additionalProperties: true, description: 'What the API is' })
  readonly info!: object;

  @Documented({ type: 'object', additionalProperties: true, description: 'What every path takes and answers' })
  readonly paths!: object;

  @Documented({ type: 'object', additionalProperties: true, description: 'What the paths refer to' })
  readonly components!: object;
}

/** The API's description of itself. */
@Controller('api/v1')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Public()
  @Get('openapi.json')
  @Summary('This document')
  @Answers(OpenApiResponse)
  read(): Promise<string> {
    return this.openApi.read();
  }
}
