/* eslint-disable @typescript-eslint/no-unused-vars -- the routes are never called */
import {
  Body,
  Controller,
  Get,
  Module,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Post,
  Query,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { IsInt } from 'class-validator';
import { checkRoutes } from '../../src/http/validation/check-routes.js';
import type { HourlySalesRecordDto } from '../../src/sales/fields/hourly-sales-record.dto.js';

class OrderDto {
  @IsInt() readonly tables!: number;
}

class UnruledDto {
  readonly tables?: number;
}

test('A start refuses routes that would silently not be validated', async () => {
  @Controller()
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
    fine(
      @Body() _body: OrderDto,
      @Param('id') _id: string,
      @Query('page', ParseIntPipe) _page: number,
    ): void {}
    @Post('named/:id')
    named(
      @Body('name') _name: string,
      @Query('page') _page: number,
      @Param('id') _id: number,
    ): void {}
    @Post('unruled')
    unruled(@Body() _body: UnruledDto): void {}
    @Post('text')
    text(@Body() _body: string): void {}
  }
  const remedy =
    'has no class: declare an XDto and import it without "type", or give a list a ParseArrayPipe';
  @Module({ imports: [DiscoveryModule], controllers: [OrdersController] })
  class OrdersModule {}
  const app = await NestFactory.createApplicationContext(OrdersModule, { logger: false });
  const routes = ['any: @Body()', 'erased: @Body()', 'inline: @Query()', 'list: @Body()'];
  const named = 'declare an XDto for the whole, or give it a pipe such as ParseIntPipe';
  const unruled = 'give its properties decorators of http/validation or class-validator';
  const faults = [
    ...routes.map((route) => `${route} ${remedy}`),
    ...["@Param('id')", "@Query('page')", "@Body('name')"].map(
      (parameter) => `named: ${parameter} is not validated: ${named}`,
    ),
    ...['unruled: UnruledDto', 'text: String'].map((route) => `${route} has no rule: ${unruled}`),
  ].map((fault) => `OrdersController.${fault}`);
  expect(() => checkRoutes(app.get(DiscoveryService))).toThrow(new Error(faults.join('\n')));
  await app.close();
});
