import { Injectable, type INestApplication } from '@nestjs/common';
import { makeOpenApiDocument, type ApiDescription } from './openapi-document.js';

/** Makes the OpenAPI document when it is first read, and keeps it as JSON. */
@Injectable()
export class OpenApi {
  private text: Promise<string> | undefined;
  private make = (): Promise<string> => Promise.reject(new Error('there is no application to describe'));

  /** Takes the application, which no provider can inject. */
  describe(app: INestApplication, description: ApiDescription): void {
    this.make = async () => JSON.stringify(await makeOpenApiDocument(app, description));
  }

  read(): Promise<string> {
    this.text ??= this.make();
    return this.text;
  }
}
