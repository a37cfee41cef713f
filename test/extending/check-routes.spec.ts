/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-extraneous-class -- the routes are never called */
import { Body, Controller, Get, Module, Param, ParseArrayPipe, Post, Query } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { IsInt } from 'class-validator';
import type { HourlySalesRecordDto } from '../../src/sales/fields/hourly-sales-record.dto.js';
import { checkRoutes } from '../../src/http/validation/check-routes.js';

class OrderDto {
  @IsInt() readonly tables!: number;
}

/** Starts an application with a controller, and returns what the check of its routes finds. */
async function faultsOf(controller: new () => object) {
  class PartsModule {}
  Module({ imports: [DiscoveryModule], controllers: [controller] })(PartsModule);
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
    @Post('parsed')
    parsed(@Body(new ParseArrayPipe({ items: OrderDto })) _orders: OrderDto[]): void {}
    @Get('fine/:id')
    fine(@Body() _body: OrderDto, @Param('id') _id: string, @Query('page') _page: number): void {}
  }
  const remedy =
    'has no class: declare an XDto and import it without "type", or give a list a ParseArrayPipe';
  expect(await faultsOf(OrdersController)).toEqual([
    `OrdersController.any: @Body() ${remedy}`,
    `OrdersController.erased: @Body() ${remedy}`,
    `OrdersController.inline: @Query() ${remedy}`,
    `OrdersController.list: @Body() ${remedy}`,
  ]);
});
