import { Injectable, type INestApplication } from '@nestjs/common';
import { makeOpenApiDocument } from './openapi-document.js';

/** The OpenAPI document of an application, as JSON text: made when it is first asked for, then kept. */
@Injectable()
export class OpenApi {
  private app: INestApplication | undefined;
  private text: Promise<string> | undefined;

  /** To be called once the application is there, which no provider can ask for. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  read(): Promise<string> {
    this.text ??= this.make();
    return this.text;
  }

  private async make(): Promise<string> {
    if (!this.app) throw new Error('there is no application to describe');
    return JSON.stringify(await makeOpenApiDocument(this.app));
  }
}
