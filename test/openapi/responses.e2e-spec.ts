import { Readable } from 'node:stream';
import { Controller, Delete, Get, Header, HttpCode, Module, Param, Post } from '@nestjs/common';
import { StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { configWith } from '../../src/config/config.js';
import { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
import { makeOpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import { ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import { IntegerField } from '../../src/http/validation/fields.decorator.js';
import { RequestPipe } from '../../src/http/validation/request.pipe.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';

function* failAfter(pieces: number): Generator<string> {
  for (let piece = 0; piece < pieces; piece++) yield 'x'.repeat(100_000);
  throw new Error('secret');
}

class NoticeParams {
  @IntegerField({ in: 'path', min: 1, max: 99, description: 'Number of the notice', example: 7 })
  readonly id!: number;
}

@Controller('notices')
class NoticesController {
  @Get('text')
  @Header('Content-Type', 'text/csv')
  text(): string {
    return 'a,b\n';
  }

  @Get('stream')
  stream(): StreamableFile {
    return new StreamableFile(Readable.from(['a,', 'b\n']), { type: 'text/csv' });
  }

  @Get('broken/first')
  brokenFirst(): StreamableFile {
    return new StreamableFile(Readable.from(failAfter(0)), { length: 9 });
  }

  @Get('broken/later')
  brokenLater(): StreamableFile {
    return new StreamableFile(Readable.from(failAfter(9)));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteNotice', summary: 'Delete a notice' })
  @ApiResponses(undefined, 404)
  remove(@Param() { id }: NoticeParams): void {
    expect(id).toBe(7);
  }

  @Post()
  @ApiResponse({ status: 201, description: 'Saved' })
  @ApiResponse({ status: 409, description: 'There is such a notice' })
  create(): void {
    return;
  }

  @Get()
  @HttpCode(304)
  list(): object {
    return { ignored: true };
  }
}

@Module({ controllers: [NoticesController] })
class NoticesModule {}

let app: NestExpressApplication;
let url: string;
beforeAll(async () => {
  const adapter = new JsonExpressAdapter(configWith(), []);
  const options = { bodyParser: false, logger: false } as const;
  app = await NestFactory.create<NestExpressApplication>(NoticesModule, adapter, options);
  app.useGlobalPipes(new RequestPipe());
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

test.each(['text', 'stream'])('A response is no JSON where its route says so: %s', async (path) => {
  const response = await fetch(`${url}/notices/${path}`);
  const type = response.headers.get('Content-Type')?.split(';')[0];
  expect([response.status, type, await response.text()]).toEqual([200, 'text/csv', 'a,b\n']);
});

test('A stream that fails is cut off, so that its part is not taken for the whole', async () => {
  await expect(fetch(`${url}/notices/broken/first`)).rejects.toThrow();
  const response = await fetch(`${url}/notices/broken/later`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

describe('A response without a body', () => {
  test.each([
    ['DELETE /notices/7', 204],
    ['GET /notices', 304],
  ])('%s: %d goes out without headers about one', async (line, status) => {
    const { headers, ...answer } = await exchange(url, rawRequest(line));
    expect([answer.status, answer.text]).toEqual([status, '']);
    for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
      expect(headers.has(name)).toBe(false);
  });

  test('leaves the connection usable, also after a body that was not read', async () => {
    const connection = await RawConnection.open(url);
    const chunked = { 'Transfer-Encoding': 'chunked' };
    await connection.send(rawRequest('DELETE /notices/7', chunked, '3\r\nabc\r\n0\r\n\r\n'));
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([204]);
    await connection.send(rawRequest('DELETE /notices/7'));
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([204, 204]);
    connection.abort();
  });

  test('is documented without content, its errors with theirs', () => {
    const document: any = makeOpenApiDocument(app, { info: { title: 'Notices', version: '1' } });
    const { responses, parameters, operationId } = document.paths['/notices/{id}'].delete;
    expect(operationId).toBe('deleteNotice');
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
    expect(parameters).toMatchObject([id]);
    const headers = expect.any(Object);
    expect(responses['204']).toEqual({ description: 'Success', headers });
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    const created = document.paths['/notices'].post.responses;
    expect(created['201']).toEqual({ description: 'Saved', headers });
    const schema = { $ref: '#/components/schemas/ErrorBody' };
    expect(created['409']).toMatchObject({
      description: 'There is such a notice',
      content: { 'application/json': { schema } },
    });
  });
});
