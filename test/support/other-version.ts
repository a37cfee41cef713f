import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { register } from 'prom-client';
import type * as Config from '../../src/config/app-config.js';
import type * as CreateApp from '../../src/create-app.js';
import type * as Ledger from '../../src/sales/ledger/ledger.service.js';
import { Client } from './client.js';
import type { TestApp } from './test-app.js';

/** Loads a module of another version. Its metrics replace those of the present one, as their names are the same. */
export function requireVersion(folder: string, path: string): unknown {
  register.clear();
  return jest.requireActual<object>(join(folder, path));
}

/** An instance of another version of the service, whose sources are in a folder, on the database of a test. */
export class OtherVersion {
  private constructor(
    private readonly folder: string,
    readonly app: NestExpressApplication,
  ) {}

  static async start(folder: string, { config }: TestApp): Promise<OtherVersion> {
    const { createApp } = requireVersion(folder, 'src/create-app.ts') as typeof CreateApp;
    const { AppConfig } = requireVersion(folder, 'src/config/app-config.ts') as typeof Config;
    const app = await createApp(Object.assign(new AppConfig(), config));
    await app.listen(0, '127.0.0.1');
    return new OtherVersion(folder, app);
  }

  get client(): Client {
    return new Client(`http://127.0.0.1:${(this.app.getHttpServer().address() as AddressInfo).port}`);
  }

  get ledger(): Ledger.LedgerService {
    const { LedgerService } = requireVersion(this.folder, 'src/sales/ledger/ledger.service.ts') as typeof Ledger;
    return this.app.get(LedgerService);
  }

  async close(): Promise<void> {
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
  }
}
