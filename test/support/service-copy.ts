import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';
import { readSources } from '../extending/architecture.js';

const ROOT = join(__dirname, '../..');
const SOURCES = [
  ...['src', 'examples', 'migrations', 'docs', 'web', 'package.json', 'tsconfig.json'],
  ...['tsconfig.build.json', 'eslint.config.mjs', '.env.example'],
];

const JSC = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
  keepClassNames: true,
} as const;

/** A copy of the sources of the service, which a test changes as an engineer would. */
export class ServiceCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'service-copy-'));

  constructor() {
    for (const path of SOURCES)
      cpSync(join(ROOT, path), join(this.folder, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }

  /** Compiles it without a check of the types. */
  compile(): void {
    for (const folder of ['src', 'migrations'])
      for (const [file, text] of readSources(this.folder, folder)) {
        if (file.endsWith('.d.ts')) continue;
        const compiled = this.path(join('dist', file.replace(/\.ts$/, '.js')));
        mkdirSync(dirname(compiled), { recursive: true });
        writeFileSync(compiled, transformSync(text, { jsc: JSC, module: { type: 'es6' } }).code);
      }
    cpSync(this.path('src/users/hash-worker.js'), this.path('dist/src/users/hash-worker.js'));
  }

  /** The compiled program of the service, for a `ServiceProcess`. */
  get main(): string {
    return this.path('dist/src/main.js');
  }

  /** Runs a command of the compiled terminal program. */
  async run(databaseUrl: string, ...command: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, BCRYPT_COST: '10' };
    const args = [this.path('dist/src/cli.js'), ...command];
    return (await promisify(execFile)(process.execPath, args, { cwd: tmpdir(), env })).stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
