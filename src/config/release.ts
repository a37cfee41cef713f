import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The version of this release, as package.json says it. */
export const { version: RELEASE } =
  require('restaurant-hourly-sales-upload-service/package.json') as {
    readonly version: string;
  };
