import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';
import { OpenApi } from './openapi.js';

/** Lets programs read what the API takes and answers. */
@Module({ controllers: [OpenApiController], providers: [OpenApi] })
export class OpenApiModule {}
