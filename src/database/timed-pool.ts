import {
  Client,
  DatabaseError,
  Pool,
  type PoolClient,
  type PoolConfig,
  type Submittable,
} from 'pg';
import { Counter } from 'prom-client';
import { Overloaded } from '../http/errors/http.errors.js';

const timeouts = new Counter({
  name: 'database_timeouts_total',
  help: 'Waits for a connection, a lock or a statement that ended at their time limit',
});

/** PostgreSQL ended a statement at its time limit. */
export const QUERY_CANCELED = '57014';

/** Codes of waits that PostgreSQL itself ends: for a statement, for a lock, for a connection. */
const ENDED_WAITS = [QUERY_CANCELED, '55P03', '53300'];

/** Node's timers may fire up to a millisecond early. */
const TIMER_TOLERANCE_MS = 2;

/** Is thrown when no connection became free, or PostgreSQL did not respond, in time. */
export class DatabaseTimeout extends Overloaded {
  constructor(cause: unknown) {
    super('the database does not respond in time');
    this.causedBy(cause);
  }
}

/** Waits for the database; throws a DatabaseTimeout if that ends at a time limit. */
export function inTime<Result>(limitMs: number, wait: () => Promise<Result>): Promise<Result> {
  const begunAt = performance.now();
  return wait().catch((error: unknown) => {
    const isLate =
      error instanceof DatabaseError
        ? ENDED_WAITS.includes(error.code!)
        : // Timeouts of pg have neither a class nor a code.
          limitMs > 0 && performance.now() - begunAt >= limitMs - TIMER_TOLERANCE_MS;
    if (!isLate) throw error;
    timeouts.inc();
    throw new DatabaseTimeout(error);
  });
}

/** A connection whose statements end with a DatabaseTimeout at their time limits. */
class TimedClient extends Client {
  constructor(private readonly options: PoolConfig) {
    super(options);
  }

  override query(...given: unknown[]): never {
    const query = (): Promise<unknown> => super.query(...(given as [string])) as never;
    const isStream = typeof (given[0] as Partial<Submittable>).submit === 'function';
    return (isStream ? query() : inTime(this.options.query_timeout ?? 0, query)) as never;
  }
}

type ConnectCallback = Parameters<Pool['connect']>[0];

/** TypeORM's pool, with an error class for every wait that ends at a time limit. */
export class TimedPool extends Pool {
  constructor(options: PoolConfig) {
    super({ ...options, Client: TimedClient as never });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const connecting = inTime(this.options.connectionTimeoutMillis!, () => super.connect());
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error as Error)),
      (error: unknown) => callback(error as Error, undefined, () => undefined),
    );
  }
}
