import type { Config } from './config/config.js';
import { isOnLoopback } from './config/load-config.js';
import type { ApiDescription } from './http/openapi/openapi-document.js';

export function apiDescription(config: Config): ApiDescription {
  return {
    info: {
      title: 'Restaurant Hourly Sales Upload Service',
      version: '1',
      description:
        'Restaurants upload their hourly sales and read them back. Log in, then send the access token with every request. ' +
        'Every error response has the body `ErrorBody` and a word for programs in `X-Error-Code`. ' +
        'Unknown fields are ignored. Amounts are decimals: up to 15 significant digits are kept as they were sent.',
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: serverUrl(config), description: 'This service' }],
    tags: [
      { name: 'Login', description: 'Access tokens for username and password' },
      { name: 'Sales', description: 'Upload hourly sales, read them back, find missing hours' },
      { name: 'Restaurants', description: 'The restaurants of the caller' },
      { name: 'Operation', description: 'Health checks' },
      { name: 'Logout', description: 'Access tokens are revoked' },
    ],
  };
}

/** A relative address, which means the host that serves the document. */
function serverUrl(config: Config): string {
  const { NODE_ENV, HOST, PORT, PUBLIC_URL } = config;
  if (PUBLIC_URL !== '') return PUBLIC_URL;
  const isLocal =
    NODE_ENV !== 'production' && isOnLoopback(config) && !HOST.includes(':') && PORT !== 0;
  return isLocal ? `http://${HOST}:${PORT}` : '/';
}
