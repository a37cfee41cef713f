import type { AddressInfo } from 'node:net';
import { Controller, Delete, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppConfig } from '../../src/config/app-config.js';
import { makeOpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import { ApiOperation, ApiResponse, ApiResponses } from '../../src/http/openapi/openapi.decorator.js';
import { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';
import { PathIntegerField } from '../../src/http/validation/fields.decorator.js';
import { RequestValidationPipe } from '../../src/http/validation/request-validation.pipe.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';

class NoticeParams {
  @PathIntegerField({ min: 1, max: 99, description: 'Number of the notice', example: 7 }) readonly id!: number;
}

@Controller('notices')
class NoticesController {
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
  const adapter = new JsonExpressAdapter(new AppConfig(), []);
  app = await NestFactory.create<NestExpressApplication>(NoticesModule, adapter, { bodyParser: false, logger: false });
  app.useGlobalPipes(new RequestValidationPipe());
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(() => app.close());

describe('a response without a body', () => {
  test.each([
    ['DELETE /notices/7', 204],
    ['GET /notices', 304],
  ])('%s: %d goes out without headers about one', async (line, status) => {
    const { headers, ...answer } = await exchange(url, rawRequest(line));
    expect([answer.status, answer.text]).toEqual([status, '']);
    for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding']) expect(headers.has(name)).toBe(false);
  });

  test('leaves the connection usable, also after a body that was not read', async () => {
    const connection = await RawConnection.open(url);
    const chunked = rawRequest('DELETE /notices/7', { 'Transfer-Encoding': 'chunked' }, '3\r\nabc\r\n0\r\n\r\n');
    await connection.send(chunked);
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([204]);
    await connection.send(rawRequest('DELETE /notices/7'));
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([204, 204]);
    connection.abort();
  });

  test('is documented without content, its errors with theirs', async () => {
    const document: any = await makeOpenApiDocument(app, { info: { title: 'Notices', version: '1' } });
    const { responses, parameters, operationId } = document.paths['/notices/{id}'].delete;
    expect(operationId).toBe('deleteNotice');
    expect(parameters).toMatchObject([{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]);
    expect(responses['204']).toEqual({ description: 'Success', headers: expect.any(Object) });
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    const created = document.paths['/notices'].post.responses;
    expect(created['201']).toEqual({ description: 'Saved', headers: expect.any(Object) });
    expect(created['409']).toMatchObject({
      description: 'There is such a notice',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
    });
  });
});
