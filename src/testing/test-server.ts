import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { runCommandLine } from '../admin/run-command-line.js';
import type { AppParts } from '../app.module.js';
import { TokensService } from '../auth/tokens/tokens.service.js';
import { Clock, type Time } from '../calendar/business-calendar.js';
import type { Config, Setting } from '../config/config.js';
import { createApp } from '../create-app.js';
import { createLog } from '../logging/log.js';
import { prepareDemoData } from '../server/demo-data.js';
import { drain, serve } from '../server/serve.js';
import { UsersService } from '../users/users.service.js';
import type { Fault } from './fault.dto.js';
import { Faults } from './faults.js';
import { type Fixtures, FixturesDto } from './fixtures.dto.js';
import { loadFixtures } from './load-fixtures.js';
import { execute, type TestDatabase } from './test-database.js';

export interface TestServerOptions extends Fixtures {
  /** Settings by the names of .env.example. */
  readonly settings?: Readonly<Record<string, Setting>>;
  /** What the clock of the server shows when it starts. */
  readonly now?: Time;
}

/** The clock of a test server and its database; it goes on from the time that it is set to. */
export class TestClock extends Clock {
  /** Milliseconds that it is ahead of the real time. */
  ahead = 0;

  override now(): number {
    return Date.now() + this.ahead;
  }
}

/** The methods that an instruction may name. */
const INSTRUCTIONS = ['token', 'admin', 'load', 'reset', 'setClock', 'setFaults'] as const;

function assertKnown(options: object): void {
  const known = [...Object.keys(new FixturesDto()), 'now', 'settings'];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is not known; there are ${known.join(', ')}`);
}

/** A running service for one test or one file of tests. */
export class TestServer {
  private ended: Promise<void> | undefined;

  private constructor(
    readonly url: string,
    /** The address that takes instructions: a secret, as any page of a browser may send there. */
    readonly controlUrl: string,
    private readonly app: NestExpressApplication,
    private readonly config: Config,
    private readonly database: TestDatabase,
    private readonly clock: TestClock,
    private readonly faults: Faults,
  ) {}

  static async start(
    config: Config,
    database: TestDatabase,
    { now, ...fixtures }: Omit<TestServerOptions, 'settings'>,
  ): Promise<TestServer> {
    const [clock, faults] = [new TestClock(), new Faults()];
    const path = `/${randomBytes(18).toString('base64url')}`;
    const control: RequestHandler = async (request, response) => {
      const answer = await server.follow(await text(request));
      response.status('error' in answer ? 400 : 200).json(answer);
    };
    const create: AppParts['create'] = async (...given) => {
      const app = await NestFactory.create<NestExpressApplication>(...given);
      return app.use(path, control).use(faults.meet); // before the guards of all routes
    };
    const app = await createApp(config, await createLog(config, process.stderr), {
      clock,
      create,
    });
    const url = await serve(app, config);
    const server: TestServer = new TestServer(
      url,
      url + path,
      app,
      config,
      database,
      clock,
      faults,
    );
    try {
      assertKnown(fixtures);
      if (now !== undefined) await server.setClock(now);
      if (config.DEMO_DATA) await prepareDemoData(app, config);
      await server.load(fixtures);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** The address of the database for the owner of its tables. */
  get databaseUrl(): string {
    return this.database.ownerUrl;
  }

  /** Finishes requests in work and drops the database. */
  stop(): Promise<void> {
    return (this.ended ??= this.end());
  }

  private async end(): Promise<void> {
    await drain(this.app, this.config);
    await this.app.close();
    await this.database.drop();
  }

  /** Issues an access token without a login. */
  async token(username: string): Promise<string> {
    const user = await this.app.get(UsersService).find(username);
    const event = { action: 'test token', clientAddress: null };
    const issued = user && (await this.app.get(TokensService).issue(user, event));
    if (!issued) throw new Error(`there is no enabled user ${username}`);
    return issued.access_token;
  }

  /** Empties the database and takes the faults away, in a tenth of a second; the clock goes on. */
  async reset(): Promise<void> {
    await this.setFaults([]);
    await this.database.empty();
  }

  /** Loads fixtures beside those of the start, or these again. */
  load(fixtures: Fixtures): Promise<void> {
    return loadFixtures(this.app, fixtures);
  }

  /** Sets the clock of tokens, locks and dates; it goes on from there. */
  async setClock(time: Time): Promise<void> {
    const ahead = new Date(time).getTime() - Date.now();
    if (Number.isNaN(ahead)) throw new Error(`not a time: ${String(time)}`);
    const interval = `make_interval(secs => ${ahead / 1000})`;
    await execute(this.databaseUrl, `UPDATE testing.clock SET ahead = ${interval}`);
    this.clock.ahead = ahead;
  }

  /** Lets the next requests fail, come late or lose their response; replaces what is left. */
  setFaults(faults: readonly Fault[]): Promise<void> {
    return this.faults.set(faults, this.app.get(UsersService));
  }

  /** Calls the method that an instruction names: `{"setClock": "2025-10-16T09:00:00Z"}`. */
  async follow(text: string): Promise<object> {
    try {
      const instruction = JSON.parse(text) as Record<string, never>;
      const name = INSTRUCTIONS.find((each) => each in instruction);
      if (!name) throw new Error(`give one of ${INSTRUCTIONS.join(', ')}`);
      const result = await this[name](instruction[name]!, instruction['input']);
      return typeof result === 'string' ? { token: result } : (result ?? instruction);
    } catch (error) {
      return { error: (error as Error).message };
    }
  }

  /** Runs an administrator's command: `admin(['user', 'disable', 'till'])`. */
  async admin(argv: readonly string[], input = '') {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const outputs = Promise.all([text(stdout), text(stderr)]);
    const terminal = { stdin: Readable.from([input]), stdout, stderr };
    const open = () => Promise.resolve({ app: this.app });
    const status = await runCommandLine(argv, terminal, open);
    stdout.end();
    stderr.end();
    const [out, errors] = await outputs;
    return { status, stdout: out, stderr: errors };
  }
}
