import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Body, Controller, Post } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { FixturesDto } from '../../src/testing/fixtures.dto.js';

const FILE = join(__dirname, '../../docs/fixtures.schema.json');

@Controller()
class FixturesController {
  @Post()
  load(@Body() fixtures: FixturesDto): FixturesDto {
    return fixtures;
  }
}

/** The schemas of the OpenAPI document as those of JSON Schema, which writes limits and examples otherwise and has no formats of numbers. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { exclusiveMaximum, maximum, example, format, ...others } = value as Record<
    string,
    unknown
  >;
  const limit =
    maximum === undefined
      ? {}
      : { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum };
  const entries = Object.entries(others).map(([name, inner]) => [name, toJsonSchema(inner)]);
  const examples = example === undefined ? {} : { examples: [example] };
  return {
    ...Object.fromEntries(entries),
    ...(format === 'date' ? { format } : {}),
    ...limit,
    ...examples,
  };
}

test('docs/fixtures.schema.json is the schema of the fixtures', async () => {
  const module = await Test.createTestingModule({ controllers: [FixturesController] }).compile();
  const app = module.createNestApplication({ logger: false });
  const document = SwaggerModule.createDocument(app, {
    openapi: '3.0.3',
    info: { title: '', version: '' },
  });
  const { FixturesDto: root, ...definitions } = document.components!.schemas!;
  const schema = toJsonSchema({ ...root, definitions }) as object;
  const text = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema });
  const expected = text.replaceAll('#/components/schemas/', '#/definitions/');
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(expected));
});
