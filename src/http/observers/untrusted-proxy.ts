import type { Log } from '../../logging/log.js';
import type { RequestObserver } from '../requests/track-request.js';

/** Makes an observer for a service that trusts no proxy: it warns once if one is in front. */
export function warnOfUntrustedProxy(log: Log): RequestObserver {
  let isTold = false;
  return ({ response }) => {
    if (isTold || response?.req.headers['x-forwarded-for'] === undefined) return;
    isTold = true;
    log.warn(
      `X-Forwarded-For came from ${response.req.socket.remoteAddress ?? 'an address'}, and TRUST_PROXY is empty: ` +
        'if a proxy is there, set TRUST_PROXY to it, or all clients share the limits of one',
    );
  };
}
