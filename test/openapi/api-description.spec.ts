import { AppConfig } from '../../src/config/app-config.js';
import { apiDescription } from '../../src/server/api-description.js';

test.each([
  ['http://127.0.0.1:3000', {}],
  ['/', { PORT: 0 }],
  ['/', { HOST: '0.0.0.0' }],
  ['/', { HOST: '::1' }],
  ['/', { NODE_ENV: 'production' }],
  ['https://sales.example/till', { NODE_ENV: 'production', PUBLIC_URL: 'https://sales.example/till' }],
])('the server of the OpenAPI document is %s with the settings %j', (url, settings) => {
  const { servers } = apiDescription(Object.assign(new AppConfig(), settings));
  expect(servers).toEqual([{ url, description: expect.any(String) }]);
});
