import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Controller, Get, Header, Module, Post, StreamableFile } from '@nestjs/common';
import { Public } from '../../src/http/public.decorator.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LARGE = { items: Array.from({ length: 2000 }, (_, item) => ({ item })) };

function* failHalfway(): Generator<string> {
  for (let piece = 0; piece < 20; piece++) yield JSON.stringify(LARGE);
  throw new Error('the rest is lost');
}

@Public()
@Controller('sizes')
class SizesController {
  @Get('large')
  large(): object {
    return LARGE;
  }

  @Post('large')
  posted(): object {
    return LARGE;
  }

  @Get('small')
  small(): object {
    return { text: 'x'.repeat(9000) };
  }

  @Get('csv')
  @Header('Content-Type', 'text/csv')
  csv(): string {
    return 'a,b\n'.repeat(10_000);
  }

  @Get('half')
  half(): StreamableFile {
    return new StreamableFile(Readable.from(failHalfway()), { type: 'application/json' });
  }
}

@Public()
@Controller({ path: 'auth', version: '1' })
class SecretsController {
  @Get('large')
  large(): object {
    return LARGE;
  }
}

@Module({ controllers: [SizesController, SecretsController] })
class SizesModule {}

let service: TestApp;
beforeAll(async () => {
  service = await createTestApp({}, undefined, { imports: [SizesModule] });
});
afterAll(() => service.close());

/** Asks without a client that decodes. */
async function ask(path: string, encoding?: string, method = 'GET'): Promise<IncomingMessage> {
  const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding };
  const sent = request(service.url + path, { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

test('Large JSON is compressed for who takes it, and is the same once decoded', async () => {
  const plain = await ask('/sizes/large');
  const packed = await ask('/sizes/large', 'gzip');
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
  ]);
  expect(packed.headers.vary).toBe('Accept-Encoding');
  const [text, bytes] = [await buffer(plain), await buffer(packed)];
  expect(Number(plain.headers['content-length'])).toBe(text.length);
  expect(gunzipSync(bytes).equals(text)).toBe(true);
  expect(bytes.length).toBeLessThan(text.length / 3);
});

test.each([
  ['small JSON', '/sizes/small', 'gzip', 'GET'],
  ['other types', '/sizes/csv', 'gzip', 'GET'],
  ['what is sent', '/sizes/large', 'gzip', 'POST'],
  ['routes of secrets', '/api/v1/auth/large', 'gzip', 'GET'],
  ['an encoding that is refused', '/sizes/large', 'gzip;q=0, br;q=0', 'GET'],
])('%s: not compressed', async (_what, path, encoding, method) => {
  const response = await ask(path, encoding, method);
  const bytes = await buffer(response);
  expect(response.headers['content-encoding']).toBeUndefined();
  expect(Number(response.headers['content-length'])).toBe(bytes.length);
});

test.each([undefined, 'gzip'])('A stream that fails halfway is cut: %s', async (encoding) => {
  const response = await ask('/sizes/half', encoding);
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, encoding]);
  await expect(buffer(response)).rejects.toThrow('aborted');
});
