import {
  Body,
  Controller,
  Get,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { IsEmail } from 'class-validator';
import { type RevokeDto } from '../../src/auth/dto/auth.dto.js';
import { checkRoutes } from '../../src/http/validation/check-routes.js';
import { applySwaggerDecorators } from '../../src/http/openapi/openapi.decorator.js';
import {
  BooleanField,
  OptionalField,
  PathIntegerField,
  QueryIntegerField,
  StringField,
} from '../../src/http/validation/fields.decorator.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';

class PageDto {
  @OptionalField() @QueryIntegerField({ min: 1, max: 50, description: 'Which page' }) readonly page?: number;
  @OptionalField() @BooleanField() readonly all?: boolean;
  @StringField({ max: 9 }) readonly word!: string;
}

class NoticeDto {
  @PathIntegerField({ min: 1, max: 50 }) readonly id!: number;
}

class MailDto {
  @IsEmail() readonly mail!: string;
}

@Controller('good')
class GoodController {
  @Post() upload(@Body() body: UploadDailyDto, @Body('records') records: object[]): object {
    return [body, records];
  }
  @Post('mail') mail(@Body() body: MailDto): object {
    return body;
  }
  @Post('mails') mails(@Body(new ParseArrayPipe({ items: MailDto })) bodies: MailDto[]): object {
    return bodies;
  }
  @Get() find(@Query() page: PageDto, @Query('word') word: string): object {
    return [page, word];
  }
  @Get(':id') read(@Param() { id }: NoticeDto, @Param('id', ParseIntPipe) parsed: number): object {
    return { id, parsed };
  }
}

const appWith = async (controller: Type) => {
  const module = await Test.createTestingModule({ controllers: [controller] }).compile();
  return module.createNestApplication({ logger: false });
};

/** A controller with one handler, which has a parameter of that type with that decorator. */
const controllerWith = (decorator: ParameterDecorator, type: unknown) => {
  @Controller()
  class SomeController {
    @Post() handle(parameter: unknown): unknown {
      return parameter;
    }
  }
  decorator(SomeController.prototype, 'handle', 0);
  Reflect.defineMetadata('design:paramtypes', [type], SomeController.prototype, 'handle');
  return SomeController;
};

describe('the start', () => {
  test('goes on where every parameter can be validated', async () => {
    const app = await appWith(GoodController);
    expect(() => checkRoutes(app)).not.toThrow();
  });

  test.each([
    [{}, 'SomeController.handle: its result is not sent; write @Res({ passthrough: true })'],
    [{ passthrough: true }, undefined],
  ])('stops unless what a handler returns is sent: @Res(%j)', async (options, message) => {
    const app = await appWith(controllerWith(Res(options as { passthrough: boolean }), Object));
    if (message === undefined) expect(() => checkRoutes(app)).not.toThrow();
    else expect(() => checkRoutes(app)).toThrow(message);
  });

  class UnruledDto {
    readonly field?: unknown;
  }
  const erased = /^SomeController\.handle: .* is imported with "import type"$/;
  test.each([
    ['an erased body', Body(), Object, erased],
    ['an erased query', Query(), Object, erased],
    ['erased path parameters', Param(), Object, erased],
    ['an erased field of the body', Body('address'), Object, erased],
    ['an erased field with a pipe', Query('page', ParseIntPipe), Object, erased],
    ['a type that is not defined yet', Body(), undefined, erased],
    ['a body of any array', Body(), Array, 'the class of @Body() has no validation rules'],
    ['a class without rules', Query(), UnruledDto, 'the class of @Query() has no validation rules'],
  ])('stops at %s', async (_what, decorator, type, message) => {
    const app = await appWith(controllerWith(decorator, type));
    expect(() => checkRoutes(app)).toThrow(message);
  });

  test('stops at a DTO that is imported as a type', async () => {
    @Controller()
    class CarelessController {
      @Post() revoke(@Body() body: RevokeDto): object {
        return body;
      }
    }
    const app = await appWith(CarelessController);
    expect(() => checkRoutes(app)).toThrow(/^CarelessController\.revoke: the type of @Body\(\) is no class/);
  });
});

test('the OpenAPI document says of a DTO what its decorators check', async () => {
  await applySwaggerDecorators();
  const document = SwaggerModule.createDocument(await appWith(GoodController), new DocumentBuilder().build());
  const { schemas } = document.components ?? {};
  expect(schemas).toMatchObject({
    UploadDailyDto: {
      properties: {
        records: {
          type: 'array',
          minItems: 1,
          maxItems: 24,
          items: { $ref: '#/components/schemas/HourlySalesRecordDto' },
        },
      },
      required: ['records'],
    },
    HourlySalesRecordDto: {
      properties: {
        restaurant_id: { type: 'integer', minimum: 1, maximum: 2147483647 },
        date: { type: 'string', format: 'date', example: '2025-10-15' },
        hour: { type: 'integer', minimum: 0, maximum: 23 },
        gto: { type: 'number', minimum: 0, maximum: 1e11, exclusiveMaximum: true },
      },
    },
  });
  expect(schemas?.['HourlySalesRecordDto']).toHaveProperty('required.length', 16);
  expect(document.paths['/good']?.get?.parameters).toMatchObject([
    { name: 'page', in: 'query', required: false, description: 'Which page', schema: { type: 'integer', maximum: 50 } },
    { name: 'all', required: false, schema: { type: 'boolean' } },
    { name: 'word', required: true, schema: { type: 'string', maxLength: 9 } },
  ]);
  expect(document.paths['/good/{id}']?.get?.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', maximum: 50 } },
  ]);
});
