import { RESTAURANTS } from '../contestants/seed.mjs';
import { measureSlot } from '../measuring.mjs';

/** For a process that has not worked yet, so that most of its code is compiled when the measuring begins. */
const FIRST_WARM_UP_MS = 2000;

/** The contestants of an upload scenario. */
export async function uploaders(stage, names) {
  const found = [];
  for (const name of names) found.push({ name, ...(await stage[name]()) });
  return found;
}

/** One slot of uploads by a contestant: over HTTP, or the bare statement where the contestant is a load process. */
export async function measureUploads(stage, contestant, { expected, ...what }) {
  const { name, port, pid, token, url, load: own } = contestant;
  const counter = `${name} ${what.pattern}`;
  const first = stage.sent.get(counter) ?? 0;
  const source = own ? { source: 'statement', url, userId: 1 } : { source: 'uploads', port, tokens: [token] };
  const warmUp = stage.warm.has(pid ?? own.pid) ? {} : { warmUpMs: FIRST_WARM_UP_MS };
  const job = { ...source, first, restaurants: RESTAURANTS, ...warmUp, ...what };
  const load = own ?? (await stage.load());
  const slot = await measureSlot(stage, { load, job, serverPid: own ? own.pid : pid, expected });
  stage.sent.set(counter, first + slot.started);
  stage.warm.add(pid ?? own.pid);
  return slot;
}
