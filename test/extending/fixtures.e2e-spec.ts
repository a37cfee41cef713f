import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Body, Controller, Post } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { FixturesDto } from '../../src/testing/fixtures.dto.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const root = join(__dirname, '../..');
const PROGRAM = join(root, 'dist/src/testing/run-load-fixtures.js');
const FILE = join(root, 'test/consumer/fixtures.json');
const SCHEMA = join(root, 'docs/fixtures.schema.json');

const read = (): unknown => JSON.parse(readFileSync(FILE, 'utf8'));

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

const load = (NODE_ENV: string) => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: service.database.url, NODE_ENV };
  return spawnSync(process.execPath, [PROGRAM, FILE], { env, encoding: 'utf8' });
};

test('npm run fixtures loads them into DATABASE_URL, but never in production', async () => {
  const counted = (table: string): string => `(SELECT count(*)::int FROM ${table}) AS ${table}`;
  const counts = `SELECT ${['users', 'restaurants', 'uploads'].map(counted).join()}`;
  expect(load('production').stderr).toBe('fixtures are never loaded in production\n');
  expect(await service.database.query(counts)).toEqual([{ users: 0, restaurants: 0, uploads: 0 }]);
  const first = { users: 3, restaurants: 2, uploads: 2 };
  expect(load('development')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(await service.database.query(counts)).toEqual([first]);
  await loadFixtures(service.app, read()); // again, only uploads are sent again
  expect(await service.database.query(counts)).toEqual([{ ...first, uploads: 4 }]);
});

@Controller()
class FixturesController {
  @Post()
  load(@Body() fixtures: FixturesDto): FixturesDto {
    return fixtures;
  }
}

/** OpenAPI as JSON Schema, which writes limits and examples otherwise and formats no numbers. */
function toJsonSchema(_key: string, value: any): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { exclusiveMaximum, maximum, example, format, ...others } = value;
  const limit = exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum';
  if (maximum !== undefined) others[limit] = maximum;
  if (example !== undefined) others.examples = [example];
  return format === 'date' ? { ...others, format } : others;
}

test('docs/fixtures.schema.json is the schema of the fixtures', async () => {
  const module = await Test.createTestingModule({ controllers: [FixturesController] }).compile();
  const app = module.createNestApplication({ logger: false });
  const info = { title: '', version: '' };
  const document = SwaggerModule.createDocument(app, { openapi: '3.0.3', info });
  const { FixturesDto: root, ...definitions } = document.components!.schemas!;
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const text = JSON.stringify({ $schema, ...root, definitions }, toJsonSchema);
  const expected = text.replaceAll('#/components/schemas/', '#/definitions/');
  expect(JSON.parse(readFileSync(SCHEMA, 'utf8'))).toEqual(JSON.parse(expected));
});
