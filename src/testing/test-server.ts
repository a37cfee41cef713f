import 'reflect-metadata';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { runCommandLine } from '../admin/run-command-line.js';
import { TokensService } from '../auth/tokens/tokens.service.js';
import { Clock, type Time } from '../calendar/business-calendar.js';
import type { Config, Setting } from '../config/config.js';
import { createApp } from '../create-app.js';
import { createLog } from '../logging/log.js';
import { prepareDemoData } from '../server/demo-data.js';
import { drain, serve } from '../server/serve.js';
import { UsersService } from '../users/users.service.js';
import { serveControl } from './control.js';
import type { Fault } from './fault.dto.js';
import { Faults } from './faults.js';
import type { Fixtures } from './fixtures.dto.js';
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

/** Empties all tables; the triggers that keep the history are off in this transaction alone. */
const EMPTY = `
  DO $$
  DECLARE
    tables text[] := ARRAY(
      SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations');
    name text;
  BEGIN
    FOREACH name IN ARRAY tables LOOP EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', name); END LOOP;
    EXECUTE 'TRUNCATE ' || array_to_string(tables, ', ') || ' RESTART IDENTITY CASCADE';
    FOREACH name IN ARRAY tables LOOP EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', name); END LOOP;
  END $$`;

/** A running service for one test or one file of tests. */
export class TestServer {
  private constructor(
    readonly url: string,
    /** The address that takes instructions from other processes; it is a secret. */
    readonly controlUrl: string,
    /** The address of the database for the owner of its tables. */
    readonly databaseUrl: string,
    /** Finishes requests in work and drops the database. */
    readonly stop: () => Promise<void>,
    private readonly app: NestExpressApplication,
    private readonly clock: TestClock,
    private readonly faults: Faults,
  ) {}

  static async start(
    config: Config,
    database: TestDatabase,
    options: Omit<TestServerOptions, 'settings'>,
  ) {
    const { now, ...fixtures } = options;
    const clock = new TestClock();
    const faults = new Faults();
    const parts = { clock, imports: [faults.module] };
    const app = await createApp(config, await createLog(config, process.stderr), parts);
    const control = await serveControl((instruction) => server.follow(instruction));
    const end = async (): Promise<void> => {
      control.close();
      await drain(app, config);
      await app.close();
      await database.drop();
    };
    let ended: Promise<void> | undefined;
    const stop = (): Promise<void> => (ended ??= end());
    let server: TestServer;
    try {
      const url = await serve(app, config);
      const { ownerUrl } = database;
      server = new TestServer(url, control.url, ownerUrl, stop, app, clock, faults);
      if (now !== undefined) await server.setClock(now);
      if (config.DEMO_DATA) await prepareDemoData(app, config);
      await server.load(fixtures);
      return server;
    } catch (error) {
      control.close();
      await app.close();
      throw error;
    }
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
    await execute(this.databaseUrl, EMPTY);
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
