import { once, type EventEmitter } from 'node:events';
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import { cancelStatement } from './cancel-statement.js';
import { CircuitBreaker } from './circuit-breaker.js';

const READY_TIMEOUT_MS = 500;

type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** Guards all statements by one circuit breaker, TypeORM's included. */
export class GuardedPool extends Pool {
  readonly breaker: CircuitBreaker;

  constructor(options: PoolConfig) {
    super(options);
    this.breaker = new CircuitBreaker((options.connectionTimeoutMillis ?? 0) + (options.query_timeout ?? 0));
    this.on('connect', (client) => this.guardStatements(client));
    this.on('release', (_error, client) => dropUnlessIdle(client));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const connection = this.guardConnect(() => super.connect());
    if (!callback) return connection;
    connection.then(
      (client) => callback(undefined, client, (error?: Error) => client.release(error)),
      (error: unknown) => callback(error as Error, undefined, () => undefined),
    );
  }

  /** Opens a connection outside of the pool. */
  async openOutside<Connection>(open: () => Promise<Connection>): Promise<Connection> {
    const connection = await this.guardConnect(open);
    this.record();
    return connection;
  }

  private async guardConnect<Connection>(connect: () => Promise<Connection>): Promise<Connection> {
    this.breaker.assertClosed();
    try {
      return await connect();
    } catch (error) {
      this.record(error);
      throw error;
    }
  }

  /** pg has no event for outcomes. */
  private guardStatements(client: PoolClient): void {
    client.on('error', () => undefined); // unhandled, it would end the process
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const result = query(...args);
        return result instanceof Promise ? this.recordOutcome(client, result) : result;
      },
    });
  }

  private async recordOutcome(client: PoolClient, result: Promise<unknown>): Promise<unknown> {
    try {
      const value = await result;
      this.record();
      return value;
    } catch (error) {
      this.abandon(client, error);
      if (error instanceof DatabaseError) await untilReady(client);
      throw error;
    }
  }

  /** `_ending` keeps it out of the pool: pg's own is set by end(). */
  private abandon(client: PoolClient, error: unknown): void {
    if (!this.record(error)) return;
    const end = client.end.bind(client);
    const cancelled = cancelStatement(client);
    Object.assign(client, {
      _ending: true,
      end: (callback?: () => void) => cancelled.then(() => end()).then(callback),
    });
  }

  /** Idle connections may be dead too. */
  private record(error?: unknown): boolean {
    const isTimeout = this.breaker.record(error);
    if (isTimeout) this.dropIdle();
    return isTimeout;
  }

  private dropIdle(): void {
    const idle = Array.from({ length: this.idleCount }, () => super.connect());
    for (const connection of idle) void connection.then((client) => client.release(true)).catch(() => undefined);
  }
}

/** TypeORM also releases connections with a statement or transaction under way. */
function dropUnlessIdle(client: PoolClient): void {
  if (!isReady(client) || client.getTransactionStatus() !== 'I') void client.end();
}

/** pg reports an error response at once; PostgreSQL's next message says that the connection can be used again. */
async function untilReady(client: PoolClient): Promise<void> {
  if (isReady(client) || !('connection' in client)) return;
  const connection = client.connection as EventEmitter;
  const settled = new AbortController(); // removes the listeners
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(READY_TIMEOUT_MS)]);
  await Promise.race(['readyForQuery', 'end'].map((event) => once(connection, event, { signal }))).catch(
    () => undefined,
  );
  settled.abort();
}

/** No statement is under way. */
export function isReady(client: PoolClient): boolean {
  return 'readyForQuery' in client && client.readyForQuery === true;
}
