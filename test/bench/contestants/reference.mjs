import { firstMessage, forkHere, stop } from '../machine/child.mjs';

/** The bare server, on a database of its own. */
export async function startReference(url, secret, nodeOptions) {
  const environment = { DATABASE_URL: url, JWT_SECRET: secret, NODE_ENV: 'production' };
  const child = forkHere('reference-server.mjs', environment, nodeOptions);
  const { port } = await firstMessage(child);
  return { port, pid: child.pid, stop: () => stop(child) };
}
