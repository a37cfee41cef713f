import type { IncomingMessage } from 'node:http';

/** Whether a request asks for the health of the service. */
export function isProbe({ url }: IncomingMessage): boolean {
  return url?.startsWith('/health/') === true;
}
