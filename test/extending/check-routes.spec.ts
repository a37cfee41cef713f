/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-extraneous-class -- the routes are never called */
import { Body, Controller, Get, Module, Param, Post, Query, UsePipes, ValidationPipe } from '@nestjs/common'; // prettier-ignore
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { IsInt } from 'class-validator';
import type { HourlySalesRecordDto } from '../../src/sales/fields/hourly-sales-record.dto.js';
import { checkRoutes } from '../../src/http/validation/check-routes.js';

class OrderDto {
  @IsInt() readonly tables!: number;
}

/** Starts an application with this controller or provider, and returns what the check of its routes finds. */
async function faultsOf(parts: {
  controllers?: (new () => object)[];
  providers?: [new () => object];
}) {
  class PartsModule {}
  Module({ imports: [DiscoveryModule], ...parts })(PartsModule);
  const app = await NestFactory.createApplicationContext(PartsModule, { logger: false });
  try {
    checkRoutes(app.get(DiscoveryService));
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  } finally {
    await app.close();
  }
}

test('A start refuses routes that would silently not be validated', async () => {
  @Controller('orders')
  class OrdersController {
    @Post('any')
    any(@Body() _body: any): void {}
    @Post('erased')
    erased(@Body() _record: HourlySalesRecordDto): void {}
    @Get('inline')
    inline(@Query() _query: { readonly page: number }): void {}
    @Get('list')
    list(@Body() _orders: OrderDto[]): void {}
    @Get('fine/:id')
    fine(@Body() _body: OrderDto, @Param('id') _id: string, @Query('page') _page: number): void {}
  }
  const remedy = 'has no class: declare an XDto, and import it without "type"';
  expect(await faultsOf({ controllers: [OrdersController] })).toEqual([
    `OrdersController.any: @Body() ${remedy}`,
    `OrdersController.erased: @Body() ${remedy}`,
    `OrdersController.inline: @Query() ${remedy}`,
    'OrdersController.list: @Body() is a list: give it a ParseArrayPipe, or take a DTO with a ListField',
  ]);
});

test('A DTO is not validated by a pipe of one route and by ours on another', async () => {
  class SharedDto extends OrderDto {}
  @Controller('strict')
  class StrictController {
    @Post()
    @UsePipes(ValidationPipe)
    strict(@Body() _body: SharedDto): void {}
  }
  @Controller('usual')
  class UsualController {
    @Post()
    usual(@Body() _body: SharedDto): void {}
  }
  expect(await faultsOf({ controllers: [StrictController, UsualController] })).toEqual([
    'UsualController.usual: @Body() shares its DTO with a route that has its own ValidationPipe: give it another',
  ]);
});

test('A WebSocket gateway is refused', async () => {
  class OrdersGateway {}
  Reflect.defineMetadata('websockets:is_gateway', true, OrdersGateway); // as @WebSocketGateway() does
  expect(await faultsOf({ providers: [OrdersGateway] })).toEqual([
    'OrdersGateway: the limits of connections close WebSockets: take @Sse()',
  ]);
});
