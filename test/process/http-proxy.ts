import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { setImmediate as afterPoll } from 'node:timers/promises';

const TRY_NEXT = new Set<string | undefined>(['ECONNREFUSED', 'ECONNRESET']);

/**
 * Shares requests out to several instances, on connections that it keeps, as the proxies that we ship: it goes to the next
 * instance where a connection is refused, or is reset before an answer. What it cannot get answered is a 502.
 */
export class HttpProxy {
  private readonly agents;
  private readonly server: Server;
  private turn = 0;

  constructor(private readonly ports: readonly number[]) {
    this.agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true })]));
    this.server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
    for (const agent of this.agents.values()) agent.destroy();
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const first = this.turn++;
    for (let count = 0; count < this.ports.length; count++) {
      const port = this.ports[(first + count) % this.ports.length]!;
      try {
        const answer = await this.ask(port, incoming, body);
        const headers = { ...answer.headers };
        delete headers.connection;
        outgoing.writeHead(answer.statusCode!, headers);
        pipeline(answer, outgoing, () => undefined); // an answer that breaks off breaks off here too
        return;
      } catch (error) {
        if (TRY_NEXT.has((error as NodeJS.ErrnoException).code)) continue;
        outgoing.writeHead(502).end(`"${String(error)}"`);
        return;
      }
    }
    outgoing.writeHead(502).end('"no instance takes connections"');
  }

  private async ask(
    port: number,
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<IncomingMessage> {
    const agent = this.agents.get(port)!;
    for (let polls = 0; polls < 2; polls++) await afterPoll(); // removes connections that were closed meanwhile
    const asked = request({ host: '127.0.0.1', port, method, path: url, headers, agent });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  }
}
