import type { ApiDescription } from './http/openapi/openapi-document.js';

/** Describes the API; the amounts are in a currency of ISO 4217. */
export const describeApi = (currency: string): ApiDescription => ({
  info: {
    title: 'Restaurant Hourly Sales Upload Service',
    version: '1',
    description:
      'Restaurants upload their hourly sales and read them back. Log in, then send the access token with every request. ' +
      'Every error response has the body `ErrorBody` and a word for programs in `X-Error-Code`. ' +
      `Unknown fields are ignored. Amounts are decimals in ${currency}: up to 15 significant digits are kept as they were sent, in at most 20 decimals. ` +
      'A name stands once in an object.',
    contact: { name: 'The operator of this service' },
  },
  servers: [{ url: '/', description: 'The host that serves this document' }],
  tags: [
    { name: 'Login', description: 'Access tokens for username and password' },
    { name: 'Sales', description: 'Upload hourly sales, read them back, find missing hours' },
    {
      name: 'File profiles',
      description: 'How files of tills are read by the page and the command line',
    },
    { name: 'Restaurants', description: 'The restaurants of the caller' },
    { name: 'Operation', description: 'Health checks' },
    // a new tag goes here
    { name: 'Logout', description: 'Access tokens are revoked' },
  ],
});
