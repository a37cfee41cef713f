import '../../src/app.module.js'; // registers all commands
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import {
  type CliContext,
  type CommandEvent,
  runCommandLine,
} from '../../src/admin/run-command-line.js';
import type { Config } from '../../src/config/config.js';
import { openApp, recordCommand } from '../../src/server/open-app.js';

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

/** The command line within our process, on an application that runs: faster by far. Without one it gets no further. */
export class CommandLine {
  readonly recorded: CommandEvent[] = [];

  constructor(
    app?: INestApplicationContext,
    private readonly context: CliContext = {
      open: () =>
        app ? Promise.resolve({ app }) : Promise.reject(new Error('a database was opened')),
      record: (_app, event) => {
        this.recorded.push(event);
        return Promise.resolve();
      },
    },
  ) {}

  /** One that opens the application and records its commands as the program does. */
  static opening(settings: Config): CommandLine {
    const open: CliContext['open'] = (command, embedded) => openApp(command, settings, embedded);
    return new CommandLine(undefined, { open, record: recordCommand });
  }

  /** The words of a command, and the first line of its standard input. */
  async run(args: string[], input = ''): Promise<Ran> {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.end(input);
    const written = [text(stdout), text(stderr)] as const;
    const status = await runCommandLine(args, { stdin, stdout, stderr }, this.context);
    stdout.end();
    stderr.end();
    return { status, stdout: await written[0], stderr: await written[1] };
  }
}
