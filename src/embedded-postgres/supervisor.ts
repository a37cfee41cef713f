import { setTimeout as delay } from 'node:timers/promises';
import { randomPort } from './access.js';
import { clearPredecessor, launchServer, ServerDidNotStart, serverEnded, stopServer, type Server } from './server.js';
import type { Site } from './site.js';

const FIRST_TRIES = 50;
const RETRY_MS = 200;
const BACK_OFF_MS = { first: 100, most: 30_000 };
const STEADY_MS = 60_000;

/** Keeps one server running, on one port, until it is told to stop. */
export class EmbeddedSupervisor {
  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;

  private constructor(
    private readonly site: Site,
    readonly port: number,
    private server: Server,
  ) {
    this.finished = this.supervise();
  }

  /** Starts the server on that port, or on another one when somebody else has it. */
  static async start(site: Site, port: number): Promise<EmbeddedSupervisor> {
    for (let left = FIRST_TRIES; ; left -= 1) {
      try {
        return new EmbeddedSupervisor(site, port, await launchServer(site, port, new AbortController().signal));
      } catch (error) {
        if (!(error instanceof ServerDidNotStart) || left === 0) throw error;
        if (error.portIsTaken) port = randomPort();
        else if (error.predecessorLingers) await delay(RETRY_MS);
        else throw error;
      }
    }
  }

  /** Resolves when the server has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.finished;
  }

  /** Never throws: while the server is away the service answers 500 and goes on. */
  private async supervise(): Promise<void> {
    const { signal } = this.stopping;
    const stopAsked = new Promise((done) => signal.addEventListener('abort', done));
    let backOff = BACK_OFF_MS.first;
    for (let since = Date.now(); ; since = Date.now()) {
      await Promise.race([serverEnded(this.server), stopAsked]);
      if (this.isStopping()) break;
      if (Date.now() - since > STEADY_MS) backOff = BACK_OFF_MS.first;
      this.site.onLine(`PostgreSQL has ended unexpectedly; starting it again in ${backOff} ms.`);
      await delay(backOff, undefined, { signal }).catch(() => undefined);
      backOff = Math.min(backOff * 2, BACK_OFF_MS.most);
      await this.restart();
    }
    await stopServer(this.server);
  }

  private async restart(): Promise<void> {
    if (this.isStopping()) return;
    try {
      await clearPredecessor(this.site);
      this.server = await launchServer(this.site, this.port, this.stopping.signal);
    } catch (error) {
      if (!this.isStopping()) this.site.onLine((error as Error).message);
    }
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}
