import { prepareDemoData } from '../../src/server/demo-data.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('The demo user', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  test.each([
    ['is not made with DEMO_DATA=false', { DEMO_DATA: false }, 401],
    ['is not made where HOST is not loopback', { HOST: '0.0.0.0' }, 401],
    ['is made on loopback', {}, 200],
    ['is disabled once HOST is not loopback', { HOST: '0.0.0.0' }, 403],
  ])('%s', async (_row, settings, status) => {
    await prepareDemoData(service.app, { ...service.config, ...settings });
    expect((await service.client.login('demo', 'demo-password')).status).toBe(status);
  });
});
