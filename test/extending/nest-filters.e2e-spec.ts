import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  Module,
  Res,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter } from '@nestjs/core';
import type { Response } from 'express';
import { Overloaded } from '../../src/http/errors/http.errors.js';
import { Public } from '../../src/http/public.decorator.js';
import { type Answer, Client } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const seen: unknown[] = [];

/** As in the chapter on exception filters of Nest's documentation. */
@Catch()
class AllExceptionsFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    seen.push(exception);
    super.catch(exception, host);
  }
}

/** As in the same chapter: it sends a body of its own. */
@Catch(HttpException)
class HttpExceptionFilter implements ExceptionFilter {
  catch(exception: HttpException, host: ArgumentsHost): void {
    const status = exception.getStatus();
    const response = host.switchToHttp().getResponse<Response>();
    response.status(status).json({ statusCode: status, given: exception.getResponse() });
  }
}

class LostError extends Error {}

@Public()
@Controller('filters')
class FiltersController {
  @Get('nest')
  nest(): void {
    throw new BadRequestException('no such table');
  }

  @Get('lost')
  lost(): void {
    throw new LostError('timeout exceeded when trying to find the table');
  }

  @Get('half')
  half(@Res() response: Response): void {
    response.write('a,b');
    throw new LostError('the rest is lost');
  }

  @Get('own')
  @UseFilters(HttpExceptionFilter)
  own(): void {
    throw new Overloaded();
  }
}

@Module({
  controllers: [FiltersController],
  providers: [{ provide: APP_FILTER, useClass: AllExceptionsFilter }],
})
class CatchAllModule {}

@Module({ controllers: [FiltersController] })
class PlainModule {}

describe.each([
  ['with a filter of a module that extends BaseExceptionFilter', CatchAllModule],
  ['without one', PlainModule],
])('%s', (_name, Features) => {
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp({}, undefined, { imports: [Features] });
    token = (await givenTill(service)).token;
  });
  afterAll(() => service.close());

  const get = (path: string): Promise<Answer> => new Client(service.url).get(path);
  const upload = (records: unknown, own?: string) => service.client.upload(own, records);
  const logged = (): string => (globalThis as { serviceErrors?: string[] }).serviceErrors!.join();

  test('an error of the service keeps its status, body and headers', async () => {
    seen.length = 0;
    const missing = await upload([record()]);
    expectError(missing, 401, /an access token is required/);
    expect(missing.headers.get('WWW-Authenticate')).toBe('Bearer');
    const invalid = await upload([record({ hour: 24 })], token);
    expectError(invalid, 400, /records\[0]\.hour must be an integer from 0 to 23/);
    expect(invalid.headers.get('X-Error-Fields')).toBe('/records/0/hour');
    expectError(await upload([record({ restaurant_id: 999 })], token), 403, /999 does not exist/);
    const names = seen.map((each) => (each as Error).constructor.name);
    const caught = ['TokenMissing', 'InvalidFields', 'RestaurantNotGranted'];
    expect(names).toEqual(Features === CatchAllModule ? caught : []);
  });

  test('an exception of Nest keeps status and text', async () => {
    expectError(await get('/filters/nest'), 400, /no such table/);
  });

  test('any other error is a 500 whatever its text says, and is logged', async () => {
    expectError(await get('/filters/lost'), 500, /internal server error/);
    expect(logged()).toMatch(/"err":{"type":"Error","message":"timeout exceeded when trying/);
  });

  test('a response that fails halfway is cut, so that it is not taken for the whole', async () => {
    await expect(get('/filters/half')).rejects.toThrow();
    expect(logged()).toContain('the rest is lost');
  });

  test('a filter for HttpException gets the errors of the service', async () => {
    const { status, text } = await get('/filters/own');
    const error = 'the service is overloaded: retry after the seconds in Retry-After';
    expect([status, JSON.parse(text)]).toEqual([503, { statusCode: 503, given: { error } }]);
  });
});
