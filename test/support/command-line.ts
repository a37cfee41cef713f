import '../../src/app.module.js'; // registers all commands
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { type OpenApp, runCommandLine } from '../../src/admin/run-command-line.js';
import type { Config } from '../../src/config/config.js';
import { openApp } from '../../src/server/open-app.js';

/** What a command line left behind. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const PROGRAM = join(__dirname, '../../dist/src/cli.js');
export const BARE_ENVIRONMENT = {
  PATH: process.env['PATH'],
  BCRYPT_COST: '10',
  RESPONSE_TIMEOUT_MS: '120000',
};

const openNothing: OpenApp = () => Promise.reject(new Error('a database was opened'));

/** The command line within our process, on an application that runs: faster by far. Without one it gets no further. */
export class CommandLine {
  constructor(
    app?: INestApplicationContext,
    private readonly open: OpenApp = app ? () => Promise.resolve({ app }) : openNothing,
  ) {}

  /** One that opens the application as the program does. */
  static opening(settings: Config): CommandLine {
    return new CommandLine(undefined, (command, embedded) => openApp(command, settings, embedded));
  }

  /** The words of a command, and the first line of its standard input. */
  async run(args: string[], input = ''): Promise<Ran> {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.end(input);
    const written = [text(stdout), text(stderr)] as const;
    const status = await runCommandLine(args, { stdin, stdout, stderr }, this.open);
    stdout.end();
    stderr.end();
    return { status, stdout: await written[0], stderr: await written[1] };
  }
}
