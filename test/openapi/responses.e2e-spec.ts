import { Readable } from 'node:stream';
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiResponse } from '@nestjs/swagger';
import { configWith } from '../../src/config/config.js';
import { makeOpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import { ServiceExpressAdapter } from '../../src/http/requests/service-express.adapter.js';
import { exchange, rawRequest } from '../support/raw-http.js';

function* failAfter(pieces: number): Generator<string> {
  for (let piece = 0; piece < pieces; piece++) yield 'x'.repeat(100_000);
  throw new Error('secret');
}

@nest.Controller('notices')
class NoticesController {
  @nest.Get('text')
  @nest.Header('Content-Type', 'text/csv')
  text(): string {
    return 'a,b\n';
  }

  @nest.Get('broken/:pieces')
  broken(@nest.Param('pieces', nest.ParseIntPipe) pieces: number): nest.StreamableFile {
    return new nest.StreamableFile(Readable.from(failAfter(pieces)));
  }

  @nest.Delete()
  @nest.HttpCode(204)
  remove(): void {}

  @nest.Get()
  @nest.HttpCode(304)
  list(): object {
    return { ignored: true };
  }

  @nest.Post()
  @ApiResponse({ status: 201, description: 'Saved' })
  @ApiResponse({ status: 409, description: 'There is such a notice' })
  create(): void {}
}

@nest.Module({ controllers: [NoticesController] })
class NoticesModule {}

let app: NestExpressApplication;
let url: string;
beforeAll(async () => {
  const adapter = new ServiceExpressAdapter(configWith(), []);
  const options = { bodyParser: false, logger: false } as const;
  app = await NestFactory.create<NestExpressApplication>(NoticesModule, adapter, options);
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

test('A response is not JSON where its route says so', async () => {
  const response = await fetch(`${url}/notices/text`);
  const type = response.headers.get('Content-Type')?.split(';')[0];
  expect([response.status, type, await response.text()]).toEqual([200, 'text/csv', 'a,b\n']);
});

test('A stream that fails is cut off, so that its part is not taken for the whole', async () => {
  await expect(fetch(`${url}/notices/broken/0`)).rejects.toThrow();
  const response = await fetch(`${url}/notices/broken/9`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test.each([
  ['DELETE', 204],
  ['GET', 304],
])('A response without a body has no headers about one: %s, %d', async (method, status) => {
  const { headers, ...answer } = await exchange(url, rawRequest(`${method} /notices`));
  expect([answer.status, answer.text]).toEqual([status, '']);
  for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
    expect(headers.has(name)).toBe(false);
});

test("A route's own descriptions of its responses are in the document", () => {
  const document: any = makeOpenApiDocument(app, { info: { title: 'Notices', version: '1' } });
  const { 201: created, 409: conflict } = document.paths['/notices'].post.responses;
  expect(created).toEqual({ description: 'Saved', headers: expect.any(Object) });
  const schema = { $ref: '#/components/schemas/ErrorBody' };
  expect(conflict).toMatchObject({
    description: 'There is such a notice',
    content: { 'application/json': { schema } },
  });
});
