import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * One kept-alive HTTP connection that sends ready text and reads little of the response: a tenth of the CPU that a
 * general client takes, so that the load generator leaves the cores to what is measured.
 */
export class HttpConnection {
  #port;
  #socket;
  #received;
  #settle;

  constructor(port) {
    this.#port = port;
  }

  /** Resolves with the response; fails if the connection is closed before. */
  send(text) {
    this.#socket ??= this.#open();
    this.#socket.write(text, 'latin1');
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  /** The next request opens another. */
  close() {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open() {
    this.#received = '';
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1').on('data', (text) => this.#take(text));
    socket.on('error', () => undefined); // it is closed next
    return socket.on('close', () => {
      if (this.#socket !== socket) return; // closed by us
      this.#socket = undefined;
      this.#settle.reject(new Error('the server closed the connection without a response'));
    });
  }

  #take(text) {
    this.#received += text;
    const [head, body] = this.#received.split(HEAD_END, 2);
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (body === undefined || body.length < length) return;
    this.#received = '';
    if (/\nconnection: *close/i.test(head)) this.close();
    this.#settle.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}
