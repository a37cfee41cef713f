import { Body, Controller, Injectable, Module, Post, Query, UsePipes, ValidationPipe } from '@nestjs/common'; // prettier-ignore
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { IsInt } from 'class-validator';
import { checkRoutes } from '../../src/http/validation/check-routes.js';
import { IntegerField } from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';

const ONE_TO_NINE = { min: 1, max: 9, example: 1 };

class OrdersDto {
  @IntegerField(ONE_TO_NINE) readonly count!: number;
  readonly place!: string;
}

class DayDto {
  @ListField(() => OrdersDto, { min: 1, max: 9 }) readonly orders!: OrdersDto[];
}

class EmptyDto {
  readonly field?: unknown;
}

class SharedDto {
  @IsInt() readonly count!: number;
}

@Controller('any')
class AnyController {
  @Post() take(@Body() body: any): unknown {
    return body;
  }
  @Post('interface') search(@Query() query: { readonly page: string }): unknown {
    return query;
  }
}

@Controller('list')
class ListController {
  @Post() take(@Body() list: OrdersDto[]): unknown {
    return list;
  }
}

@Controller('unruled')
class UnruledController {
  @Post() day(@Body() day: DayDto): unknown {
    return day;
  }
  @Post('empty') empty(@Body() empty: EmptyDto): unknown {
    return empty;
  }
}

@Controller('shared')
class SharedController {
  @Post() take(@Body() body: SharedDto): unknown {
    return body;
  }
  @Post('strict')
  @UsePipes(new ValidationPipe({ forbidNonWhitelisted: true }))
  strict(@Body() body: SharedDto): unknown {
    return body;
  }
}

@Injectable()
class TablesGateway {}
Reflect.defineMetadata('websockets:is_gateway', true, TablesGateway); // as @WebSocketGateway() does

/** The start of the application says what would otherwise fail at the first request. */
test.each<[string[], object]>([
  [
    [
      'AnyController.take: @Body() has no class as its type: declare an XDto, and import it without "type"',
      'AnyController.search: @Query() has no class as its type: declare an XDto, and import it without "type"',
    ],
    { controllers: [AnyController] },
  ],
  [
    [
      'ListController.take: @Body() is a list: wrap it in a DTO with ListField, or give it a ParseArrayPipe',
    ],
    { controllers: [ListController] },
  ],
  [
    [
      'OrdersDto.place has no rule: use a decorator such as IntegerField, or @Allow()',
      'EmptyDto has no rules: give its fields decorators such as IntegerField',
    ],
    { controllers: [UnruledController] },
  ],
  [
    [
      'SharedController.take: @Body() has the type of a route with a ValidationPipe: give it another class',
    ],
    { controllers: [SharedController] },
  ],
  [
    ['TablesGateway: the limits of connections know no WebSockets: use @Sse()'],
    { providers: [TablesGateway] },
  ],
])('The start refuses %p', async (faults, metadata) => {
  @Module(metadata)
  class FaultyModule {}
  const app = await NestFactory.create(FaultyModule, { logger: false });
  expect(() => checkRoutes(app.get(ModulesContainer))).toThrow(new Error(faults.join('\n')));
});
