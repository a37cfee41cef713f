import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSources } from '../support/architecture.js';

const root = join(__dirname, '../..');

describe('The library that makes the OpenAPI document', () => {
  test('is imported when the document is asked for, never before', () => {
    const early = [...readSources(root, 'src')].filter(([, text]) =>
      /^import (?!type )[^;]*from '@nestjs\/swagger/m.test(text),
    );
    expect(early.map(([file]) => file)).toEqual([]);
  });

  test('is not loaded by what the service loads at its start', () => {
    // A hook for imports, and one for require(), both of which a package may use behind our back.
    const refuse = 'if (specifier.startsWith("@nestjs/swagger")) throw new Error("loads " + specifier);';
    const script = `
      import Module, { register } from 'node:module';
      const hook = 'export function resolve(specifier, context, next) { ${refuse} return next(specifier, context); }';
      register('data:text/javascript,' + encodeURIComponent(hook));
      const { _resolveFilename } = Module;
      Module._resolveFilename = (specifier, ...rest) => { ${refuse} return _resolveFilename(specifier, ...rest); };
      await import('reflect-metadata');
      await import(${JSON.stringify(pathToFileURL(join(root, 'dist/src/create-app.js')).href)});`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(run.status === 0 ? '' : run.stderr).toBe('');
  });
});
