import type { AddressInfo } from 'node:net';
import { Body, Next, Res } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import pino from 'pino';
import { DEFERS_REVOCATION_CHECK, DefersRevocationCheck } from '../../src/auth/defers-revocation-check.decorator.js';
import { createApp } from '../../src/create-app.js';
import { routesOf } from '../../src/http/routes.js';
import { UploadsService } from '../../src/sales/uploads/uploads.service.js';
import { Client, type Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** A request that succeeds with a live token, for every route marked with @DefersRevocationCheck(). */
const VALID: Record<string, (client: Client, token: string) => Promise<Answer>> = {
  'POST api/v1/sales/upload-daily': (client, token) => client.upload(token, day()),
};

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

function markedRoutes(): string[] {
  return routesOf(service.app)
    .filter(({ handler }) => Reflect.hasMetadata(DEFERS_REVOCATION_CHECK, handler))
    .map(({ controller, handler }) => {
      const paths = [controller, handler].map((part) => Reflect.getMetadata(PATH_METADATA, part) as string);
      return `${METHODS[Reflect.getMetadata(METHOD_METADATA, handler) as number]!} ${paths.join('/')}`;
    });
}

describe('A route marked with @DefersRevocationCheck()', () => {
  test('has an entry in this test', () => expect(markedRoutes().sort()).toEqual(Object.keys(VALID).sort()));

  test.each(Object.entries(VALID))('401 with a revoked token: %s', async (_route, send) => {
    const { token } = await givenTill(service);
    expect((await send(service.client, token)).status).toBe(200);
    await service.client.post('/api/v1/auth/revoke', {}, { token });
    expectError(await send(service.client, token), 401, /revoked/);
  });

  test('500 and an error in the log where the handler did not confirm that the token is live', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const app = await createApp(service.config, log);
    await app.listen(0, '127.0.0.1');
    const client = new Client(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
    const { token } = await givenTill(service);
    expect((await client.upload(token, day())).status).toBe(200);
    jest.spyOn(app.get(UploadsService), 'uploadDay').mockResolvedValue('a name');
    expectError(await client.upload(token, day()), 500, /internal server error/);
    await app.close();
    const errors: any[] = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50 || level === 'error');
    expect(errors).toEqual([expect.objectContaining({ status: 500, route: '/api/v1/sales/upload-daily' })]);
    expect(JSON.stringify(errors)).toContain('did not confirm');
  });

  test.each([
    ['@Res()', Res()],
    ['@Res({ passthrough: true })', Res({ passthrough: true })],
    ['@Next()', Next()],
  ])('cannot take %s, with which a handler would send a response unchecked', (_name, parameter) => {
    const define = (decorate: ParameterDecorator): void => {
      class Controller {
        handle(): void {}
      }
      decorate(Controller.prototype, 'handle', 0);
      const descriptor = Object.getOwnPropertyDescriptor(Controller.prototype, 'handle')!;
      DefersRevocationCheck()(Controller.prototype, 'handle', descriptor);
    };
    expect(() => define(parameter)).toThrow('excludes @Res() and @Next()');
    expect(() => define(Body())).not.toThrow();
  });
});
