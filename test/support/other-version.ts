import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type * as Config from '../../src/config/app-config.js';
import type * as CreateApp from '../../src/create-app.js';
import type * as Ledger from '../../src/sales/ledger/ledger.service.js';
import { Client } from './client.js';
import type { TestApp } from './test-app.js';

/** An instance of another version of the service, whose sources are in a folder, on the database of a test. */
export class OtherVersion {
  private constructor(
    private readonly folder: string,
    readonly app: NestExpressApplication,
  ) {}

  static async start(folder: string, { config }: TestApp): Promise<OtherVersion> {
    const { createApp } = jest.requireActual<typeof CreateApp>(join(folder, 'src/create-app.ts'));
    const { AppConfig } = jest.requireActual<typeof Config>(join(folder, 'src/config/app-config.ts'));
    const app = await createApp(Object.assign(new AppConfig(), config));
    await app.listen(0, '127.0.0.1');
    return new OtherVersion(folder, app);
  }

  get client(): Client {
    return new Client(`http://127.0.0.1:${(this.app.getHttpServer().address() as AddressInfo).port}`);
  }

  get ledger(): Ledger.LedgerService {
    const path = join(this.folder, 'src/sales/ledger/ledger.service.ts');
    return this.app.get(jest.requireActual<typeof Ledger>(path).LedgerService);
  }

  async close(): Promise<void> {
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
  }
}
