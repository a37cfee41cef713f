import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a service and a server, and can do what networks do. */
export class TcpProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private readonly lost: (readonly [Socket, Socket])[] = [];
  /** What each connection sent first. */
  readonly greetings: Buffer[] = [];
  private mode: 'forward' | 'hold' | 'refuse' = 'forward';
  private readinessDelayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (inside: Socket) => this.join(inside));
  }

  static async to(url: string): Promise<TcpProxy> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new TcpProxy(server, new URL(url));
  }

  /** The target, by way of this. */
  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  get connections(): number {
    return this.pairs.size;
  }

  /** Packets go through, on connections that were held too. */
  forward(): void {
    this.mode = 'forward';
    this.readinessDelayMs = 0;
    for (const pair of this.pairs) pair.forEach((socket) => socket.resume());
  }

  /** Packets are swallowed; nobody is told, and new connections are made to nowhere. */
  hold(): void {
    this.mode = 'hold';
    for (const pair of this.pairs) pair.forEach((socket) => socket.pause());
  }

  /** What PostgreSQL sends last, ReadyForQuery, comes some time after the rest, until `forward`. */
  separateReadiness(): void {
    this.readinessDelayMs = 50;
  }

  /** Packets of the connections that there are get lost for good; those of new ones go through. */
  forget(): void {
    this.hold();
    this.lost.push(...this.pairs);
    this.pairs.clear();
    this.mode = 'forward';
  }

  /** Connections are cut, and new ones too, at once. */
  refuse(): void {
    this.mode = 'refuse';
    for (const pair of this.pairs) this.cut(pair);
  }

  async close(): Promise<void> {
    for (const pair of this.lost) this.cut(pair);
    this.refuse();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(inside: Socket): void {
    const outside = connect({ port: Number(this.target.port), host: this.target.hostname });
    const pair = [inside, outside] as const;
    this.pairs.add(pair);
    inside.once('data', (chunk: Buffer) => this.greetings.push(chunk));
    for (const [from, to] of [pair, [outside, inside]] as const) {
      from.on('data', (chunk: Buffer) => this.pass(chunk, to));
      from.on('error', () => this.cut(pair)).on('close', () => this.cut(pair));
      if (this.mode === 'hold') from.pause();
    }
    if (this.mode === 'refuse') this.cut(pair);
  }

  private pass(chunk: Buffer, to: Socket): void {
    const end = this.readinessDelayMs ? chunk.lastIndexOf('Z\0\0\0\x05', undefined, 'latin1') : -1;
    to.write(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) setTimeout(() => to.write(chunk.subarray(end)), this.readinessDelayMs);
  }

  private cut(pair: readonly [Socket, Socket]): void {
    this.pairs.delete(pair);
    pair.forEach((socket) => socket.destroy());
  }
}
