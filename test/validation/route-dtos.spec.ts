import { Body, Controller, Get, Post, Query, type Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { IsString, ValidatePromise } from 'class-validator';
import { LoginDto } from '../../src/auth/dto/login.dto.js';
import { compileRoutes } from '../../src/http/validation/compile-routes.js';
import { applySwaggerDecorators } from '../../src/http/openapi/openapi.decorator.js';
import { BooleanField, OptionalField, StringField } from '../../src/http/validation/fields.decorator.js';
import { QueryIntegerField } from '../../src/http/validation/fields.decorator.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';

class PageDto {
  @OptionalField() @QueryIntegerField({ min: 1, max: 50, description: 'Which page' }) readonly page?: number;
  @OptionalField() @BooleanField() readonly all?: boolean;
  @StringField({ max: 9 }) readonly word!: string;
}

@Controller('good')
class GoodController {
  @Post() upload(@Body() body: UploadDailyDto, @Body('records') records: object[]): object {
    return [body, records];
  }
  @Post('login') login(@Body() body: LoginDto): object {
    return body;
  }
  @Get() find(@Query() page: PageDto, @Query('word') word: string): object {
    return [page, word];
  }
}

const appWith = async (controller: Type) => {
  const module = await Test.createTestingModule({ controllers: [controller] }).compile();
  return module.createNestApplication({ logger: false });
};

describe('the start', () => {
  test('goes on where every DTO can be checked', async () => {
    const app = await appWith(GoodController);
    expect(() => compileRoutes(app)).not.toThrow();
  });
  test('stops at a body without rules', async () => {
    @Controller()
    class CarelessController {
      @Post() save(@Body() body: object): object {
        return body;
      }
    }
    const app = await appWith(CarelessController);
    expect(() => compileRoutes(app)).toThrow(/^CarelessController\.save: the class of @Body\(\) has no rules/);
  });
  test('stops at a rule that cannot be compiled', async () => {
    class LateDto {
      @IsString() @ValidatePromise() readonly word!: string;
    }
    @Controller()
    class LateController {
      @Post() save(@Body() body: LateDto): object {
        return body;
      }
    }
    const app = await appWith(LateController);
    expect(() => compileRoutes(app)).toThrow('LateDto.word: rules of the kind promiseValidation are not supported');
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
    LoginDto: { properties: { grant_type: { enum: ['password'] }, username: { type: 'string', minLength: 1 } } },
  });
  expect(schemas?.['HourlySalesRecordDto']).toHaveProperty('required.length', 16);
  expect(document.paths['/good']?.get?.parameters).toMatchObject([
    { name: 'page', in: 'query', required: false, description: 'Which page', schema: { type: 'integer', maximum: 50 } },
    { name: 'all', required: false, schema: { type: 'boolean' } },
    { name: 'word', required: true, schema: { type: 'string', maxLength: 9 } },
  ]);
});
