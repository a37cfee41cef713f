import * as nest from '@nestjs/common';
import { type ArgumentsHost, Controller, type ExecutionContext, Get, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, BaseExceptionFilter } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { FileInterceptor } from '@nestjs/platform-express';
import { Interval, ScheduleModule } from '@nestjs/schedule';
import { PartialType } from '@nestjs/swagger';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { NextFunction, Request, Response } from 'express';
import { map, type Observable, of } from 'rxjs';
import type { Repository } from 'typeorm';
import { UnparsedBody } from '../../src/http/body/json-body.guard.js';
import { Public } from '../../src/http/public.decorator.js';
import { User } from '../../src/users/user.entity.js';

class Teapot extends Error {}

@nest.Catch(Teapot)
class TeapotFilter implements nest.ExceptionFilter {
  constructor(private readonly from: string) {}

  catch(_thrown: Teapot, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ from: this.from });
  }
}

@nest.Catch()
class AllExceptionsFilter extends BaseExceptionFilter {}

/** What the guards, timers and hooks of the module saw. */
export const seen = { users: [] as unknown[], ticks: 0, hooks: [] as string[] };

const seeingGuard: nest.CanActivate = {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.path.startsWith('/nest/')) seen.users.push(request.user);
    return request.path !== '/nest/forbidden';
  },
};

const markingInterceptor: nest.NestInterceptor = {
  intercept(context: ExecutionContext, next: nest.CallHandler<unknown>): Observable<unknown> {
    if (context.getClass() === FeaturesController)
      context.switchToHttp().getResponse<Response>().setHeader('X-Intercepted', 'yes');
    return next.handle();
  },
};

/** As a health check of @nestjs/terminus fails. */
const UNHEALTHY = {
  status: 'error',
  info: { memory: { status: 'up' } },
  error: { database: { status: 'down', message: 'secret' }, disk: { status: 'down' } },
};

class ToppingDto {
  @IsString() readonly name!: string;
}

class OrderDto {
  @IsInt() readonly tables!: number;
  @IsDate() @Type(() => Date) readonly at!: Date;
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => ToppingDto)
  readonly toppings?: ToppingDto[];
}

class OrderChangesDto extends PartialType(OrderDto) {}

class TablesQueryDto {
  @IsInt() @Type(() => Number) readonly tables!: number;
}

@Controller('nest')
@Public()
class FeaturesController {
  private readonly logger = new nest.Logger('Features');
  private heard = '';

  constructor(
    private readonly events: EventEmitter2,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  @Post('order')
  order(@nest.Body() order: OrderDto): object {
    return { isDate: order.at instanceof Date, order };
  }

  @Post('changes')
  changes(@nest.Body() changes: OrderChangesDto): object {
    return changes;
  }

  @Post('list')
  list(@nest.Body(new nest.ParseArrayPipe({ items: ToppingDto })) toppings: ToppingDto[]): object {
    return { first: toppings[0]! instanceof ToppingDto };
  }

  @Get('query')
  query(@nest.Query() query: TablesQueryDto): object {
    return query;
  }

  @Get('integers/:id')
  integer(@nest.Param('id', nest.ParseIntPipe) id: number): object {
    return { id };
  }

  @Post('file')
  @UnparsedBody()
  @nest.UseInterceptors(FileInterceptor('file', { limits: { fileSize: 100 } }))
  upload(@nest.UploadedFile() file: { originalname: string; size: number }): object {
    return { name: file.originalname, size: file.size };
  }

  @Get('pipes')
  pipes(
    @nest.Query('flag', nest.ParseBoolPipe) flag: boolean,
    @nest.Query('page', new nest.DefaultValuePipe(5), nest.ParseIntPipe) page: number,
  ): object {
    return { flag, page };
  }

  @Get('exceptions/:name')
  fail(@nest.Param('name') name: string): void {
    if (name === 'not-found') throw new nest.NotFoundException('no such order');
    if (name === 'http') throw new nest.HttpException('short and stout', 418);
    if (name === 'object') throw new nest.HttpException({ message: ['one', 'two'] }, 422);
    if (name === 'unauthorized') throw new nest.UnauthorizedException();
    if (name === 'unhealthy') throw new nest.ServiceUnavailableException(UNHEALTHY);
    if (name === 'teapot') throw new Teapot();
    throw new Error('secret');
  }

  @Get('kettle')
  @nest.UseFilters(new TeapotFilter('@UseFilters'))
  kettle(): void {
    throw new Teapot();
  }

  @Get('based')
  @nest.UseFilters(AllExceptionsFilter)
  based(): void {
    throw new nest.NotFoundException('no such order');
  }

  @Get('closed')
  @nest.UseGuards({ canActivate: () => false })
  closed(): void {}

  @Get('wrapped')
  @nest.UseInterceptors({
    intercept: (_context: ExecutionContext, next: nest.CallHandler<unknown>) =>
      next.handle().pipe(map((data) => ({ data }))),
  })
  wrapped(): string {
    return 'inner';
  }

  @nest.Sse('events')
  sendEvents(): Observable<nest.MessageEvent> {
    return of({ data: { count: 1 } }, { data: { count: 2 } });
  }

  @Get('file')
  file(): nest.StreamableFile {
    return new nest.StreamableFile(Buffer.from('a,b\n'), { type: 'text/csv' });
  }

  @Get('redirect')
  @nest.Redirect('/elsewhere', 301)
  redirect(): void {}

  @nest.Delete('nothing')
  @nest.HttpCode(204)
  remove(): void {}

  @Get(['empty', 'forbidden'])
  empty(): void {}

  @Get('passthrough')
  passthrough(@nest.Res({ passthrough: true }) response: Response): object {
    return { middleware: response.status(202).locals['from'] as string };
  }

  @Get('twice')
  @nest.UseGuards(ThrottlerGuard)
  @Throttle({ default: { limit: 2, ttl: 60_000 } })
  twice(): void {}

  @Get('repository')
  async countUsers(): Promise<object> {
    return { users: await this.users.countBy({ username: 'nobody' }) };
  }

  @Get('event')
  emit(): object {
    this.events.emit('order.paid', { table: 7 });
    return { heard: this.heard };
  }

  @OnEvent('order.paid')
  onPaid({ table }: { table: number }): void {
    this.heard = `table ${table}`;
  }

  @Get('log')
  log(): void {
    this.logger.error('the kettle is empty');
  }

  @Interval(20)
  tick(): void {
    seen.ticks += 1;
  }

  onModuleInit = (): unknown => seen.hooks.push('onModuleInit');
  onApplicationBootstrap = (): unknown => seen.hooks.push('onApplicationBootstrap');
  onModuleDestroy = (): unknown => seen.hooks.push('onModuleDestroy');
  beforeApplicationShutdown = (): unknown => seen.hooks.push('beforeApplicationShutdown');
  onApplicationShutdown = (): unknown => seen.hooks.push('onApplicationShutdown');
}

@Controller({ path: 'nest', version: '1' })
@Public()
class VersionedController {
  @Get('versioned')
  @nest.Version('2')
  read(): void {}
}

@Controller('nest/token')
class TokenController {
  @Get()
  read(): void {}
}

/** A module that uses Nest as its documentation says. */
@nest.Module({
  imports: [
    EventEmitterModule.forRoot(),
    ScheduleModule.forRoot(),
    ThrottlerModule.forRoot([{ limit: 1000, ttl: 60_000 }]),
    TypeOrmModule.forFeature([User]),
  ],
  controllers: [FeaturesController, VersionedController, TokenController],
  providers: [
    { provide: APP_FILTER, useValue: new TeapotFilter('APP_FILTER') },
    { provide: APP_GUARD, useValue: seeingGuard },
    { provide: APP_INTERCEPTOR, useValue: markingInterceptor },
  ],
})
export class NestFeaturesModule implements nest.NestModule {
  configure(consumer: nest.MiddlewareConsumer): void {
    const note = (_request: Request, response: Response, next: NextFunction): void => {
      response.locals['from'] = 'here';
      next();
    };
    consumer.apply(note).forRoutes('nest/passthrough');
  }
}
