import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One kept-alive HTTP connection that sends ready bytes and reads little of the response: a tenth of the CPU that a
 * general client takes, so that the load generator leaves the cores to what is measured.
 */
export class HttpConnection {
  #port;
  #socket;
  #received = [];
  #settle;

  constructor(port) {
    this.#port = port;
  }

  /** Resolves with the response. The bytes may be changed again from then on. */
  async send(bytes) {
    this.#socket ??= await this.#open();
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  /** The next request opens another. */
  close() {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open() {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
      socket.once('connect', () => resolve(socket));
      socket.on('data', (chunk) => this.#take(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        if (this.#socket !== socket) return; // closed by us
        this.#socket = undefined;
        this.#received = [];
        this.#settle?.reject(new Error('the server closed the connection without a response'));
      });
    });
  }

  #take(chunk) {
    this.#received.push(chunk);
    const bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.latin1Slice(0, headEnd);
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (bytes.length < headEnd + HEAD_END.length + length) return;
    this.#received = [];
    const { resolve } = this.#settle;
    this.#settle = undefined;
    if (/\nconnection: *close/i.test(head)) this.close();
    resolve({
      status: Number(head.slice(9, 12)),
      head,
      body: bytes.subarray(headEnd + HEAD_END.length),
    });
  }
}
