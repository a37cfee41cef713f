import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What an id may look like that we repeat in a header and in the log: nothing that could break out of either. */
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The id under which the client, or the proxy in front, knows the request; a new one where it sent none that is fit. */
export function requestIdFrom(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID();
}
