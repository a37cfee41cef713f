import { residentMemory } from '../machine/accounts.mjs';
import { measureUploads } from './uploading.mjs';

const SLOT_SECONDS = 30;

/** Very many uploads by one process: whether its memory stays flat and its rate stays up. */
export const soak = {
  name: 'soak',
  title: 'Memory over many uploads, fresh, 32 connections',
  onlyWhenAsked: true,
  async run(stage) {
    const service = { name: 'service', ...(await stage.service()) };
    const rows = [];
    for (let uploads = 0; uploads < stage.options.uploads;) {
      const slot = await measureUploads(stage, service, {
        lanes: 32,
        pattern: 'fresh',
        measureMs: SLOT_SECONDS * 1000,
      });
      uploads += slot.started;
      rows.push({ uploads, rate: slot.rate, 'resident MB': residentMemory(service.pid) / 1e6 });
      stage.tell(`soak: ${uploads} uploads, ${Math.round(rows.at(-1)['resident MB'])} MB`);
    }
    return rows;
  },
};
