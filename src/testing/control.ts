import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Listens for instructions to a test server on a port of its own. The path is a secret: any page
 * that a browser of this machine shows may send a request to any port of it.
 */
export async function serveControl(follow: (instruction: string) => Promise<object>) {
  const path = `/${randomBytes(18).toString('base64url')}`;
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    if (request.url !== path) send(404, { error: 'this is not the control address' });
    else
      void text(request)
        .then(follow)
        .then((answer) => send('error' in answer ? 400 : 200, answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
