import { TooManyFailures } from './auth/login/login.errors.js';
import { TokenInvalid } from './auth/tokens/tokens.errors.js';
import { InvalidRequest, Overloaded, TooManyEntries } from './http/errors/http.errors.js';
import type { ApiDescription } from './http/openapi/openapi-document.js';
import { RestaurantNotGranted } from './restaurants/restaurants.errors.js';
import { DayHasChanged } from './sales/sales.errors.js';

/** Describes the API; the amounts are in a currency of ISO 4217. */
export const describeApi = (currency: string): ApiDescription => ({
  info: {
    title: 'Restaurant Hourly Sales Upload Service',
    version: '1',
    description:
      'Restaurants upload their hourly sales and read them back. Log in, then send the access token with every request. ' +
      'Every error response has the body `ErrorBody` and a word for programs in `X-Error-Code`. ' +
      `Unknown fields are ignored. Amounts are decimals in ${currency}: of a number 15 significant digits are kept, as they were sent. ` +
      'A name stands once in an object.',
    contact: { name: 'The operator of this service' },
  },
  errors: [
    new InvalidRequest(
      'records[0].hour must be an integer from 0 to 23; records[0].gto is missing',
    ),
    new TooManyEntries('records holds 25 entries, at most 24 are allowed'),
    new Overloaded(),
    new TokenInvalid(),
    new RestaurantNotGranted(999),
    new DayHasChanged(101, 'Demo Restaurant', '2025-10-15', 3),
    new TooManyFailures(840),
  ],
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
