import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptFolder } from './kept-folder.js';
import { documentOf } from '../support/openapi.js';
import type { TestApp } from '../support/test-app.js';

const generator = join(__dirname, '../../node_modules/openapi-typescript/bin/cli.js');

/** The types that openapi-typescript generates from the OpenAPI document of the service. */
export async function apiTypesOf(service: TestApp): Promise<string> {
  const text = JSON.stringify(await documentOf(service));
  const made = await keptFolder('api-types', [text], (folder) => {
    const document = join(folder, 'openapi.json');
    writeFileSync(document, text);
    const args = [generator, document, '-o', join(folder, 'schema.d.ts')];
    execFileSync(process.execPath, args, { stdio: 'pipe' });
  });
  return readFileSync(join(made, 'schema.d.ts'), 'utf8');
}
