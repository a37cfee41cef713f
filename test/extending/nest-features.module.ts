import {
  ArgumentsHost,
  Body,
  CallHandler,
  CanActivate,
  Catch,
  Controller,
  Delete,
  ExceptionFilter,
  ExecutionContext,
  Get,
  HttpCode,
  HttpException,
  Injectable,
  Logger,
  MiddlewareConsumer,
  Module,
  NestInterceptor,
  NestModule,
  NotFoundException,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Post,
  Query,
  Redirect,
  Res,
  Sse,
  StreamableFile,
  UnauthorizedException,
  UploadedFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type BeforeApplicationShutdown,
  type MessageEvent,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { FileInterceptor } from '@nestjs/platform-express';
import { Interval, ScheduleModule } from '@nestjs/schedule';
import { PartialType } from '@nestjs/swagger';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { NextFunction, Request, Response } from 'express';
import { map, of, type Observable } from 'rxjs';
import type { Repository } from 'typeorm';
import { UnparsedBody } from '../../src/http/body/json-body.guard.js';
import { Public } from '../../src/http/public.decorator.js';
import { User } from '../../src/users/user.entity.js';

class Teapot extends Error {}
class Kettle extends Error {}

@Catch(Teapot)
class TeapotFilter implements ExceptionFilter {
  catch(_thrown: Teapot, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ from: 'APP_FILTER' });
  }
}

@Catch(Kettle)
class KettleFilter implements ExceptionFilter {
  catch(_thrown: Kettle, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ from: '@UseFilters' });
  }
}

/** What the guards, timers and hooks of the module saw. */
export const seen = { users: [] as unknown[], ticks: 0, hooks: [] as string[] };

@Injectable()
class SeeingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.path.startsWith('/nest/')) seen.users.push(request.user);
    return request.path !== '/nest/forbidden';
  }
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class MarkingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    if (context.getClass() === ResponsesController)
      context.switchToHttp().getResponse<Response>().setHeader('X-Intercepted', 'yes');
    return next.handle();
  }
}

@Injectable()
class WrappingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

class ToppingDto {
  @IsString() readonly name!: string;
}

class OrderDto {
  @IsInt() readonly tables!: number;
  @IsDate() @Type(() => Date) readonly at!: Date;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => ToppingDto) readonly toppings?: ToppingDto[]; // prettier-ignore
}

class OrderChangesDto extends PartialType(OrderDto) {}

class TablesQueryDto {
  @IsInt() @Type(() => Number) readonly tables!: number;
}

@Controller('nest/requests')
@Public()
class RequestsController {
  @Post('order')
  order(@Body() order: OrderDto): object {
    return { isDate: order.at instanceof Date, order };
  }

  @Post('changes')
  changes(@Body() changes: OrderChangesDto): object {
    return changes;
  }

  @Post('list')
  list(@Body(new ParseArrayPipe({ items: ToppingDto })) toppings: ToppingDto[]): object {
    return { first: toppings[0]! instanceof ToppingDto };
  }

  @Get('query')
  query(@Query() query: TablesQueryDto): object {
    return query;
  }

  @Get('integers/:id')
  integer(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Post('file')
  @UnparsedBody()
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 100 } }))
  upload(@UploadedFile() file: { originalname: string; size: number }): object {
    return { name: file.originalname, size: file.size };
  }
}

@Controller('nest')
@Public()
class ResponsesController {
  @Get('exceptions/:name')
  fail(@Param('name') name: string): void {
    if (name === 'not-found') throw new NotFoundException('no such order');
    if (name === 'http') throw new HttpException('short and stout', 418);
    if (name === 'object') throw new HttpException({ message: ['one', 'two'] }, 422);
    if (name === 'unauthorized') throw new UnauthorizedException();
    if (name === 'teapot') throw new Teapot();
    throw new Error('secret');
  }

  @Get('kettle')
  @UseFilters(KettleFilter)
  kettle(): void {
    throw new Kettle();
  }

  @Get('forbidden')
  forbidden(): object {
    return {};
  }

  @Get('closed')
  @UseGuards(ClosedGuard)
  closed(): object {
    return {};
  }

  @Get('wrapped')
  @UseInterceptors(WrappingInterceptor)
  wrapped(): string {
    return 'inner';
  }

  @Sse('events')
  events(): Observable<MessageEvent> {
    return of({ data: { count: 1 } }, { data: { count: 2 } });
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('a,b\n'), { type: 'text/csv' });
  }

  @Get('redirect')
  @Redirect('/elsewhere', 301)
  redirect(): void {}

  @Delete('nothing')
  @HttpCode(204)
  remove(): void {}

  @Get('empty')
  empty(): void {}

  @Get('passthrough')
  passthrough(@Res({ passthrough: true }) response: Response): object {
    response.status(202).setHeader('X-Own', 'yes');
    return { own: true };
  }

  @Get('middleware')
  middleware(@Res({ passthrough: true }) response: Response): object {
    return { from: response.locals['from'] as string };
  }
}

@Controller('nest/throttled')
@Public()
@UseGuards(ThrottlerGuard)
class ThrottledController {
  @Get('twice')
  @Throttle({ default: { limit: 2, ttl: 60_000 } })
  twice(): object {
    return {};
  }
}

@Controller('nest/providers')
@Public()
class ProvidersController {
  private readonly logger = new Logger('Features');
  private heard = '';

  constructor(
    private readonly events: EventEmitter2,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

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
  log(): object {
    this.logger.error('the kettle is empty');
    return {};
  }
}

@Controller('nest/token')
class TokenController {
  @Get()
  read(): object {
    return {};
  }
}

@Injectable()
class Clockwork
  implements
    OnModuleInit,
    OnApplicationBootstrap,
    OnModuleDestroy,
    BeforeApplicationShutdown,
    OnApplicationShutdown
{
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

/** A module that uses Nest as its documentation says. */
@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ScheduleModule.forRoot(),
    ThrottlerModule.forRoot([{ limit: 1000, ttl: 60_000 }]),
    TypeOrmModule.forFeature([User]),
  ],
  controllers: [
    RequestsController,
    ResponsesController,
    ThrottledController,
    ProvidersController,
    TokenController,
  ],
  providers: [
    Clockwork,
    { provide: APP_FILTER, useClass: TeapotFilter },
    { provide: APP_GUARD, useClass: SeeingGuard },
    { provide: APP_INTERCEPTOR, useClass: MarkingInterceptor },
  ],
})
export class NestFeaturesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const note = (_request: Request, response: Response, next: NextFunction): void => {
      response.locals['from'] = 'middleware';
      next();
    };
    consumer.apply(note).forRoutes('nest/middleware');
  }
}
