import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from 'restaurant-hourly-sales-upload-service/testing';

/** What a suite in TypeScript may write; compiled by npm run types, and never run. */
const options: TestServerOptions = {
  users: [{ username: 'till', restaurant_ids: [101] }],
  now: new Date(),
};
const server: TestServer = await startTestServer(options);
export const results: [string, string] = [server.url, await server.token('till')];
// @ts-expect-error a user has a username
await startTestServer({ users: [{ name: 'till' }] });
