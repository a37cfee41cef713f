import 'reflect-metadata';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { findCommands } from '../admin/find-commands.js';
import { runCommandLine } from '../admin/run-command-line.js';
import { AppModule } from '../app.module.js';
import { TokensService } from '../auth/tokens/tokens.service.js';
import type { AppConfig } from '../config/app-config.js';
import type { Time } from '../config/business-calendar.js';
import { Database } from '../database/database.js';
import { LineWriter } from '../logging/line-writer.js';
import { openLog } from '../logging/log.js';
import { prepareDemoData } from '../server/demo-data.js';
import { recordCommand } from '../server/record-command.js';
import { serve, type ServerHandle } from '../server/serve.js';
import { CredentialsService } from '../users/credentials.service.js';
import type { Fixtures } from './fixtures/fixtures.dto.js';
import { FixturesService } from './fixtures/fixtures.service.js';
import { TestClock } from './test-clock.js';
import { dropTestDatabase } from './test-postgres.js';

export interface CommandOutput {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const stderr = new LineWriter(2);

/** A running service for one test or one file of tests. */
export class TestServer {
  readonly url: string;
  /** For administrator's commands of other processes. */
  readonly databaseUrl: string;
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly server: ServerHandle,
    private readonly app: INestApplicationContext,
    private readonly config: AppConfig,
    private readonly clock: TestClock,
  ) {
    this.url = server.url;
    this.databaseUrl = config.DATABASE_URL;
  }

  static async start(config: AppConfig, fixtures: Fixtures, now?: Time): Promise<TestServer> {
    const clock = new TestClock();
    let app: INestApplicationContext | undefined;
    const prepare = async (created: INestApplicationContext): Promise<void> => {
      app = created;
      if (now !== undefined) await clock.set(now, created.get(Database));
      if (config.DEMO_DATA) await prepareDemoData(created);
      await created.get(FixturesService, { strict: false }).load(fixtures);
    };
    const server = await serve(config, await openLog(config, stderr), prepare, clock);
    return new TestServer(server, app!, config, clock);
  }

  /** An access token, without a login. */
  async token(username: string): Promise<string> {
    const { account } = await this.get(CredentialsService).find(username);
    const issued = account && (await this.get(TokensService).issue(account));
    if (!issued) throw new Error(`there is no enabled user ${username}`);
    return issued.token;
  }

  /** Sets the clock of tokens, locks and dates; it goes on from there. */
  async setClock(time: Time): Promise<void> {
    await this.clock.set(time, this.get(Database));
  }

  /** Runs an administrator's command: `admin(['user', 'disable', 'till'])`. */
  async admin(argv: readonly string[], input = ''): Promise<CommandOutput> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const outputs = Promise.all([text(stdout), text(stderr)]);
    const context = {
      open: () => Promise.resolve({ app: this.app, close: () => Promise.resolve() }),
      record: recordCommand,
      showsStacks: () => true,
    };
    const commands = await findCommands(AppModule.of(this.config));
    const terminal = { stdin: Readable.from([input]), stdout, stderr };
    const status = await runCommandLine(commands, argv, terminal, context);
    for (const stream of [stdout, stderr]) stream.end();
    const [out, errors] = await outputs;
    return { status, stdout: out, stderr: errors };
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.server.stop().then(() => dropTestDatabase(this.databaseUrl)));
  }

  private get<Service>(service: Type<Service>): Service {
    return this.app.get(service, { strict: false });
  }
}
