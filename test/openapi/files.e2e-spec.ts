import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Controller, Get, Header, Module, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppConfig } from '../../src/config/app-config.js';
import { makeOpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import { ApiOperation, ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';
import { documentGaps } from '../support/documentation-gaps.js';
import { responseMismatches } from '../support/openapi.js';

function* failAfter(pieces: number): Generator<string> {
  for (let piece = 0; piece < pieces; piece++) yield 'x'.repeat(100_000);
  throw new Error('secret');
}

@Controller('files')
class FilesController {
  @Get('text')
  @Header('Content-Type', 'text/csv')
  @ApiOperation({ operationId: 'getText', summary: 'A text' })
  @ApiResponses('text/csv', 401)
  text(): string {
    return 'a,b\n';
  }

  @Get('stream')
  stream(): StreamableFile {
    return new StreamableFile(Readable.from(['a,', 'b\n']), { type: 'text/csv', disposition: 'attachment' });
  }

  @Get('broken/first')
  brokenFirst(): StreamableFile {
    return new StreamableFile(Readable.from(failAfter(0)), { type: 'text/csv', disposition: 'attachment', length: 9 });
  }

  @Get('broken/later')
  brokenLater(): StreamableFile {
    return new StreamableFile(Readable.from(failAfter(9)));
  }
}

@Module({ controllers: [FilesController] })
class FilesModule {}

let app: NestExpressApplication;
const get = (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/files/${path}`);
beforeAll(async () => {
  const adapter = new JsonExpressAdapter(new AppConfig(), []);
  app = await NestFactory.create<NestExpressApplication>(FilesModule, adapter, { bodyParser: false, logger: false });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

test.each(['text', 'stream'])('a response is no JSON where its route says so: %s', async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get('Content-Type')?.split(';')[0]]).toEqual([200, 'text/csv']);
  expect(await response.text()).toBe('a,b\n');
});

test('a stream that fails at once is a 500 like any other', async () => {
  const response = await get('broken/first');
  expect([response.status, response.headers.get('X-Error-Code')]).toEqual([500, 'internal_error']);
  expect(response.headers.get('Content-Disposition')).toBeNull();
  expect(await response.json()).toEqual({ error: expect.stringMatching(/^internal server error/) });
});

test('a stream that fails later is cut off, so that its part is not taken for the whole', async () => {
  const response = await get('broken/later');
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('a text is compared with the document as it is', async () => {
  const document: any = await makeOpenApiDocument(app, { info: { title: 'Files', version: '1' } });
  const gaps = documentGaps(document, []).filter((gap) => gap.startsWith('GET /files/text'));
  expect(gaps).toEqual(['GET /files/text is in the document but not served']);
  document.paths = { '/files/{id}': { get: { responses: {} } }, ...document.paths }; // a path that is less exact
  const received = { status: 200, headers: new Headers({ 'Content-Type': 'text/csv' }), text: 'a,b\n' };
  const mismatches = responseMismatches(document, 'GET', '/files/text', received);
  expect(mismatches).toEqual(['header X-Request-Id is missing']);
});
