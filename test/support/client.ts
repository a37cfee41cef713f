import { setTimeout as delay } from 'node:timers/promises';
import { responseMismatches } from './openapi.js';

/** An answer of the service as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, parsed; fails where it is not JSON. */
  readonly body: any;
}

type Options = { token?: string; headers?: Record<string, string> };

/** Sends again while the response is 503, as a till does: on a slow machine the service may be overloaded for a moment. */
export async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await delay(100);
  }
}

/** Talks real HTTP to one instance. */
export class Client {
  constructor(
    readonly url: string,
    /** Every response is compared with it. */
    private readonly openApi?: () => Promise<unknown>,
  ) {}

  async send(
    method: string,
    path: string,
    body?: string | Uint8Array | FormData,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const received = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      get body() {
        return JSON.parse(this.text);
      },
    };
    const isCompared = this.openApi && method !== 'OPTIONS';
    const document = isCompared && (await this.openApi());
    const mismatches = document ? responseMismatches(document, method, path, received) : [];
    if (mismatches.length > 0)
      throw new Error(`${method} ${path} differs from the document: ${mismatches.join('; ')}`);
    return received;
  }

  get(path: string, { token, headers }: Options = {}): Promise<Answer> {
    return this.send('GET', path, undefined, { ...bearer(token), ...headers });
  }

  delete(path: string, { token, headers }: Options = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, { ...bearer(token), ...headers });
  }

  post(path: string, body: unknown, options: Options = {}): Promise<Answer> {
    return this.sendJson('POST', path, body, options);
  }

  put(path: string, body: unknown, options: Options = {}): Promise<Answer> {
    return this.sendJson('PUT', path, body, options);
  }

  patch(path: string, body: unknown, options: Options = {}): Promise<Answer> {
    return this.sendJson('PATCH', path, body, options);
  }

  /** Sends a form, files included. */
  postForm(path: string, form: FormData, { token, headers }: Options = {}): Promise<Answer> {
    return this.send('POST', path, form, { ...bearer(token), ...headers });
  }

  /** Yields what server-sent events say; the end of the loop closes the connection. */
  async *events(path: string, { token, headers }: Options = {}): AsyncGenerator<any> {
    const sent = { headers: { ...bearer(token), ...headers } };
    const response = await fetch(this.url + path, sent);
    if (response.status !== 200)
      throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
    let rest = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split('\n\n');
      rest = events.pop()!;
      for (const [, data] of events.map((event) => /^data: (.*)/m.exec(event) ?? []))
        if (data !== undefined) yield JSON.parse(data);
    }
  }

  private sendJson(method: string, path: string, body: unknown, { token, headers }: Options) {
    const json = typeof body === 'string' ? body : JSON.stringify(body);
    const type = { 'Content-Type': 'application/json' };
    return this.send(method, path, json, { ...type, ...bearer(token), ...headers });
  }

  login(username: string, password: string, headers: Record<string, string> = {}): Promise<Answer> {
    const body = { grant_type: 'password', username, password };
    return this.post('/api/v1/auth/login', body, { headers });
  }

  /** A token; fails where the login does, unless too many logins are waiting. */
  async token(username: string, password: string): Promise<string> {
    const answer = await untilServed(() => this.login(username, password));
    if (answer.status !== 200)
      throw new Error(`login of ${username} answered ${answer.status}: ${answer.text}`);
    return answer.body.access_token as string;
  }

  upload(token: string | undefined, records: unknown): Promise<Answer> {
    const options = token === undefined ? {} : { token };
    return this.post('/api/v1/sales/upload-daily', { records }, options);
  }
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}
