import { cpuOfTrees } from './processes.mjs';
import { RESTAURANTS } from './servers/seed.mjs';

const WARM_UP_MS = 300;

/** V8 takes some ten thousand requests of a kind to compile all of the service's code. */
const WARM_UP_REQUESTS = 10_000;
const MAX_WARM_UP_SLOTS = 10;

/**
 * Runs one slot of a job and returns what it took: requests a second, latency in milliseconds, and the CPU of the server
 * and of PostgreSQL in milliseconds a request. Throws if a response was not the expected one.
 */
export async function measureSlot(stage, { load, job, serverPid, expected = 200 }) {
  const postgres = await stage.postgres();
  await postgres.settle();
  const readings = [];
  const read = () => readings.push(cpuOfTrees([serverPid, postgres.pid]));
  const slot = { warmUpMs: WARM_UP_MS, measureMs: stage.options.seconds * 1000, ...job };
  const result = await load.run(slot, { onBegin: read, onEnd: read });
  const { outcomes, requests, rate, p50, p99, cpuShare, started } = result;
  if (requests === 0 || outcomes[expected] !== requests)
    throw new Error(`expected ${expected} from every request, got ${JSON.stringify(outcomes)}`);
  const [before, after] = readings;
  const each = (index) => (after[index] - before[index]) / requests;
  return {
    rate,
    p50,
    p99,
    serverCpu: each(0),
    postgresCpu: each(1),
    loadCpuShare: cpuShare,
    started,
  };
}

/** Measures one slot of uploads by a contestant, whose process is warm by then. */
export async function measureUploads(stage, { name, port, pid, token }, { expected, ...what }) {
  const counter = `${name} ${what.pattern}`;
  const run = async (measureMs) => {
    const first = stage.sent.get(counter) ?? 0;
    const source = { source: 'uploads', port, token, first, restaurants: RESTAURANTS };
    const job = { ...source, measureMs, ...what };
    const load = await stage.load();
    const slot = await measureSlot(stage, { load, job, serverPid: pid, expected });
    stage.sent.set(counter, first + slot.started);
    return slot;
  };
  const kind = `${pid} ${expected}`;
  for (let slots = 0, sent = 0; !stage.warm.has(kind); slots++) {
    sent += (await run(2000)).started;
    if (sent >= WARM_UP_REQUESTS || slots === MAX_WARM_UP_SLOTS) stage.warm.add(kind);
  }
  return run(stage.options.seconds * 1000);
}

/**
 * Lets the contestants take turns for some rounds, every other round in the reverse order, and answers each one's
 * medians, with the `slots` themselves. `measure(contestant)` answers an object of numbers.
 */
export async function takeTurns(stage, title, contestants, measure) {
  const seen = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= stage.options.rounds; round++) {
    for (const contestant of round % 2 ? contestants : [...contestants].reverse()) {
      const slot = await measure(contestant);
      seen.get(contestant.name).push(slot);
      stage.tell(
        `${title}, round ${round}/${stage.options.rounds}: ${contestant.name} ${Math.round(slot.rate)}/s`,
      );
    }
  }
  return new Map([...seen].map(([name, slots]) => [name, { ...medians(slots), slots }]));
}

/** How one contestant's rate compares with another's: the median over rounds, so that a slow minute of the machine hits both. */
export function ratioOf(results, one, other, field = 'rate') {
  const others = results.get(other).slots;
  return median(results.get(one).slots.map((slot, index) => slot[field] / others[index][field]));
}

/** The figures that tables show: those of each contestant, and its rate as a share of others'. */
export function figuresOf(results, name) {
  const { rate, p50, p99, serverCpu, postgresCpu } = results.get(name);
  const ratios = {};
  if (results.has('reference')) ratios.ofReference = ratioOf(results, name, 'reference');
  if (results.has('before') && name === 'service')
    ratios.ofBefore = ratioOf(results, name, 'before');
  return { contestant: name, rate, ...ratios, p50, p99, serverCpu, postgresCpu };
}

function medians(slots) {
  const fields = Object.keys(slots[0]);
  return Object.fromEntries(
    fields.map((field) => [field, median(slots.map((slot) => slot[field]))]),
  );
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
