import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../public.decorator.js';
import { OpenApi } from './openapi-document.js';

const object = { type: 'object' };
const list = { type: 'array', items: object };
const openapi = { type: 'string', description: 'Version of OpenAPI', example: '3.0.3' };
const sections = { info: object, servers: list, tags: list, paths: object, components: object };

/** Serves the OpenAPI document. */
@ApiTags('Operation')
@Controller('api/v1')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Public()
  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({ operationId: 'getOpenApi', summary: 'This document' })
  @ApiOkResponse({ schema: { type: 'object', properties: { openapi, ...sections } } })
  read(): string {
    return this.openApi.read();
  }
}
