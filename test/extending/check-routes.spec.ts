/* eslint-disable @typescript-eslint/no-unused-vars -- the routes are never called */
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Post,
  Query,
  RawBody,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import {
  IsInt,
  IsString,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { checkRoutes } from '../../src/http/validation/check-routes.js';
import type { HourlySalesRecordDto } from '../../src/sales/fields/hourly-sales-record.dto.js';

class OrderDto {
  @IsInt() readonly tables!: number;
}

class UnruledDto {
  readonly tables?: number;
}

class GroupedDto {
  @IsString({ groups: ['create'] }) readonly name!: string;
}

@Injectable()
class Menu {}

/** As in the chapter of class-validator on service containers. */
@ValidatorConstraint()
@Injectable()
class IsOnTheMenu implements ValidatorConstraintInterface {
  constructor(readonly menu: Menu) {}

  validate(): boolean {
    return true;
  }
}

class ChosenDto {
  @Validate(IsOnTheMenu) readonly dish!: string;
}

/** As `@WebSocketGateway()` of @nestjs/websockets marks a class. */
@SetMetadata('websockets:is_gateway', true)
class OrdersGateway {}

test('A start refuses routes that would silently not be checked', async () => {
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
    @Post('raw')
    raw(@RawBody() _body: Buffer): void {}
    @Post('grouped')
    grouped(@Body() _body: GroupedDto): void {}
    @Post('chosen')
    chosen(@Body() _body: ChosenDto): void {}
  }
  const remedy =
    'has no class: declare an XDto and import it without "type", or give a list a ParseArrayPipe';
  @Module({
    imports: [DiscoveryModule],
    controllers: [OrdersController],
    providers: [Menu, IsOnTheMenu, OrdersGateway],
  })
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
    'raw: @RawBody() would be empty: take @UnparsedBody() of http/body, and readBytes() there',
    'grouped: GroupedDto has rules with groups, which are not told apart: take PartialType, OmitType',
    'chosen: ChosenDto: the rule IsOnTheMenu would be made without its dependencies: let the service decide it',
  ].map((fault) => `OrdersController.${fault}`);
  const gateway =
    'OrdersGateway: no token would be checked, and the limits close its connections: take @Sse()';
  expect(() => checkRoutes(app.get(DiscoveryService))).toThrow(
    new Error([...faults, gateway].join('\n')),
  );
  await app.close();
});
