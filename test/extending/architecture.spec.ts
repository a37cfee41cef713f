import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.js';
import { breaches, readSources } from '../support/architecture.js';

const root = join(__dirname, '../..');

describe('The architecture', () => {
  test('is kept by every file', () => {
    expect(breaches(readSources(root, 'src'))).toEqual([]);
    expect(breaches(readSources(root, 'migrations'))).toEqual([]);
  });

  test.each([
    ['a platform folder knows no feature', 'src/http/x.ts', `import { A } from '../sales/sales.service.js';`],
    [
      'a lower feature knows no higher one',
      'src/users/users.service.ts',
      `import { A } from '../auth/auth.service.js';`,
    ],
    ['an entity stays at home', 'src/sales/x.service.ts', `import { User } from '../users/user.entity.js';`],
    ['a guard stays at home', 'src/sales/x.ts', `import {\n  TokenGuard,\n} from '../auth/passport/token.guard.js';`],
    ['a controller calls its service', 'src/sales/sales.controller.ts', `import { A } from './uploads.repository.js';`],
    ['a command calls its service', 'src/users/users.commands.ts', `import { A } from './users.repository.js';`],
    ['a service speaks no SQL', 'src/sales/sales.service.ts', `import { Repository } from 'typeorm';`],
    ['a service knows no transport', 'src/sales/sales.service.ts', `import type { Request } from 'express';`],
    ['a repository judges nothing', 'src/sales/x.repository.ts', `import { A } from './sales.errors.js';`],
    ['a DTO describes the wire', 'src/sales/dto/x.dto.ts', `import { A } from '../hour.entity.js';`],
    [
      'a DTO is imported as a value',
      'src/sales/sales.controller.ts',
      `import type { UploadDailyDto } from './dto/u.dto.js';`,
    ],
    ['exports are named', 'src/sales/x.ts', 'export default class {}'],
    ['no cast through unknown', 'src/sales/x.ts', 'const a = b as unknown as string;'],
    ['only config reads the environment', 'src/sales/x.ts', 'process.env.PORT;'],
    ['nothing is left to do', 'src/sales/x.ts', '// TODO later'],
    ['names are kebab-case', 'src/sales/SalesThing.ts', ''],
    ['a file stays small', 'src/sales/x.ts', '\n'.repeat(200)],
    ['folders are named after features', 'src/sales/utils/x.ts', ''],
  ])('a breach is found: %s', (_rule, file, text) => {
    expect(breaches(new Map([[file, text]]))).toHaveLength(1);
  });

  test('every migration is listed, oldest first', () => {
    const files = readdirSync(join(root, 'migrations')).filter((name) => name !== 'index.ts');
    const listed = migrations.map(({ name }) => /\d+$/.exec(name)![0]);
    expect(listed).toEqual(files.map((name) => /^\d+/.exec(name)![0]).sort());
  });

  test('the top level holds what the map shows', () => {
    const shown = [
      'deploy',
      'src',
      'test',
      'migrations',
      'docs',
      'nest-cli.json',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'README.md',
    ];
    const made = ['node_modules', 'dist', 'coverage'];
    const found = readdirSync(root).filter((name) => !name.startsWith('.') && !made.includes(name));
    expect(found.sort()).toEqual(shown.sort());
  });
});
