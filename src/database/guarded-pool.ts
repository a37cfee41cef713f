import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { CircuitBreaker } from './circuit-breaker.js';

type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** A pool of connections behind one circuit breaker, for the statements of TypeORM as well as for those of `Database`. */
export class GuardedPool extends Pool {
  private readonly breaker = new CircuitBreaker();

  constructor(options: PoolConfig) {
    super(options);
    this.on('connect', (client) => this.guard(client));
    this.on('release', (_error, client) => dropUnlessIdle(client));
  }

  /** Takes a connection of the pool. Throws `CircuitOpen`. */
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

  /** Makes a connection unless the circuit is open, and records whether the database was there. */
  async guardConnect<Connection>(connect: () => Promise<Connection>): Promise<Connection> {
    this.breaker.assertClosed();
    try {
      return await connect();
    } catch (error) {
      this.record(error);
      throw error;
    }
  }

  /** Records the outcome of every statement on the connection; pg has no event for that. */
  private guard(client: PoolClient): void {
    client.on('error', () => undefined); // without a listener it would end the process; the statement under way fails
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const guarded = (...args: unknown[]): unknown => {
      const result = query(...args);
      if (result instanceof Promise) result.then(() => this.breaker.record(), (error: unknown) => this.record(error)); // prettier-ignore
      return result;
    };
    Object.assign(client, { query: guarded });
  }

  private record(error: unknown): void {
    if (this.breaker.record(error)) void this.dropIdle().catch(() => undefined);
  }

  /** Idle connections may be as dead as the one that timed out; to find out would take a request for each. */
  private async dropIdle(): Promise<void> {
    const idle = Array.from({ length: this.idleCount }, () => super.connect());
    for (const client of await Promise.all(idle)) client.release(true);
  }
}

/**
 * Closes a connection on which a statement timed out or a transaction was left open: the next user would wait behind it.
 * pg looks only at the error that it is released with, and TypeORM gives none.
 */
function dropUnlessIdle(client: PoolClient): void {
  const idle = 'readyForQuery' in client && client.readyForQuery === true && client.getTransactionStatus() === 'I';
  if (!idle) void client.end();
}
