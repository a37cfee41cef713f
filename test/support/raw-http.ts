import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Answer } from './client.js';
import { record } from './records.js';
import { eventually } from './service-process.js';

/** One TCP connection on which a test sends whatever bytes it likes, and the answers that came back on it. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private isClosed = false;
  private error: Error | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])));
    socket.on('error', (error) => (this.error = error));
    socket.on('close', () => (this.isClosed = true));
  }

  /** Reads nothing before `listen` if it is `deaf`; `from` is the client's address. */
  static async open(
    url: string,
    { deaf = false, from = '127.0.0.1' } = {},
  ): Promise<RawConnection> {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
    socket.setNoDelay(true);
    await once(socket, 'connect');
    const connection = new RawConnection(socket);
    if (deaf) socket.pause();
    return connection;
  }

  listen(): void {
    this.socket.resume();
  }

  /** Resolves once the bytes were handed to the kernel, or the other side no longer takes any. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Says that nothing more will be sent, and goes on listening. */
  endSending(): void {
    this.socket.end();
  }

  /** Goes away without a word. */
  abort(): void {
    this.socket.resetAndDestroy();
  }

  /** The first `count` answers, once they are whole; those that came, where the connection was closed before. */
  async answers(count = 1, { toHead = false } = {}): Promise<Answer[]> {
    const parsed = () => parse(this.received, toHead);
    await this.until(() => this.isClosed || parsed().length >= count, `${count} answers`);
    return parsed();
  }

  async answer(): Promise<Answer> {
    const [first] = await this.answers();
    const reason = this.error?.message ?? 'in order';
    if (!first) throw new Error(`no answer came before the connection closed (${reason})`);
    return first;
  }

  /** Resolves when the other side has closed; the connection's error, if it did not do so in order. */
  async closed(): Promise<Error | undefined> {
    this.socket.once('end', () => this.socket.end());
    if (this.socket.readableEnded) this.socket.end();
    await this.until(() => this.isClosed, 'closing');
    return this.error;
  }

  /** Whether the other side may still send. */
  get isOpen(): boolean {
    return !this.isClosed && !this.socket.readableEnded;
  }

  /** Resolves once such a text came. */
  async receivedText(text: string): Promise<void> {
    await this.until(() => this.text.includes(text), text);
  }

  /** Everything that came, as text. */
  get text(): string {
    return this.received.toString('latin1');
  }

  private until(condition: () => boolean, what: string): Promise<unknown> {
    return eventually(condition, () => `${what}; received: ${JSON.stringify(this.text)}`);
  }
}

/** Sends bytes on a connection of their own and gives the first answer. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const connection = await RawConnection.open(url);
  await connection.send(bytes);
  const answer = await connection.answer();
  connection.abort();
  return answer;
}

/** A request's bytes; its length is told unless the headers say otherwise. */
export function rawRequest(line: string, headers: Record<string, string> = {}, body = ''): string {
  const tells = Object.keys(headers).some((name) =>
    /^(content-length|transfer-encoding)$/i.test(name),
  );
  const length = body === '' || tells ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const all = Object.entries({ Host: 'x', ...headers, ...length });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The bytes of an upload of one record. */
export function rawUpload(token: string, changes: Parameters<typeof record>[0] = {}): string {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const body = JSON.stringify({ records: [record(changes)] });
  return rawRequest('POST /api/v1/sales/upload-daily', headers, body);
}

/** The whole answers at the beginning of what came, interim ones (100 Continue) left out. */
function parse(bytes: Buffer, toHead: boolean): Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) break;
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`not a status line: ${statusLine}`);
    const headers = new Headers(
      lines.map((line) => line.split(/:(.*)/s, 2) as [name: string, value: string]),
    );
    const end = headEnd + 4 + (toHead || status < 200 ? 0 : Number(headers.get('Content-Length')));
    if (rest.length < end) break;
    const text = rest.subarray(headEnd + 4, end).toString();
    const body = toHead || text === '' ? undefined : JSON.parse(text);
    if (status >= 200) answers.push({ status, headers, text, body });
    rest = rest.subarray(end);
  }
  return answers;
}
