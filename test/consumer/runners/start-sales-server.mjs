import { startTestServer } from 'restaurant-hourly-sales-upload-service/testing';

/** Starts a server for each worker; Jest and Playwright number their workers from 1 and from 0. */
export default async function ({ maxWorkers, workers = maxWorkers }) {
  const start = () => startTestServer({ users: [{ username: 'till' }] });
  globalThis.salesServers = await Promise.all(Array.from({ length: workers }, start));
  process.env.SALES_SERVERS = JSON.stringify(
    salesServers.map(({ url, controlUrl }) => [url, controlUrl]),
  );
}
