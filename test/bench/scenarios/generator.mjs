import { RESTAURANTS } from '../contestants/seed.mjs';
import { UploadRequests } from '../load/upload-requests.mjs';
import { firstMessage, forkHere } from '../machine/child.mjs';
import { takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

/** What the load generator can do where the server does nothing: it must be far above every contestant. */
export const generator = {
  name: 'generator',
  title: 'The load generator against a server that only counts bytes, 32 connections',
  async run(stage) {
    const token = 'x'.repeat(230);
    const sample = new UploadRequests({ port: 65_535, tokens: [token], pattern: 'fresh', restaurants: RESTAURANTS });
    const child = forkHere('trivial-server.mjs');
    child.send({ requestBytes: sample.next(Buffer.alloc(16_384)).length });
    const { port } = await firstMessage(child);
    const server = {
      name: 'trivial server',
      port,
      pid: child.pid,
      token: token.padEnd(token.length + 5 - String(port).length, 'x'),
    };
    const results = await takeTurns(stage, 'generator', [server], (one) =>
      measureUploads(stage, one, { lanes: 32, pattern: 'fresh' }),
    );
    const { rate, p50, p99, serverCpu, loadCpuShare } = results.get(server.name);
    return [
      {
        contestant: server.name,
        rate,
        p50,
        p99,
        serverCpu,
        loadCpuShare,
        'generator CPU ms each': (loadCpuShare * 1000) / rate,
      },
    ];
  },
};
