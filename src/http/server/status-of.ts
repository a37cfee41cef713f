import type { TrackedResponse } from './tracked-response.js';

/** What proxies log for a request whose client went away before there was an answer. */
const CLIENT_GONE = 499;

/** The status that the client got. */
export function statusOf({ rawStatus, headersSent, statusCode }: TrackedResponse): number {
  return rawStatus ?? (headersSent ? statusCode : CLIENT_GONE);
}
