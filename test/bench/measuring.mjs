import { cpuOfTrees } from './machine/accounts.mjs';

const WARM_UP_MS = 300;

/**
 * Runs one slot of a job and tells what it took: requests a second, latency in milliseconds, and the CPU of the server
 * and of PostgreSQL in milliseconds a request. Throws where anything else came back than the one outcome expected.
 */
export async function measureSlot(stage, { load, job, serverPid, expected = 200 }) {
  const postgres = await stage.postgres();
  await postgres.settle();
  const readings = [];
  const read = () => readings.push(cpuOfTrees([serverPid, postgres.pid]));
  const slot = { warmUpMs: WARM_UP_MS, measureMs: stage.options.seconds * 1000, ...job };
  const result = await load.run(slot, { onBegin: read, onEnd: read });
  assertAll(expected, result);
  const [before, after] = readings;
  const { rate, p50, p99, cpuShare, started } = result;
  const each = (index) => (after[index] - before[index]) / result.requests;
  return { rate, p50, p99, serverCpu: each(0), postgresCpu: each(1), loadCpuShare: cpuShare, started };
}

function assertAll(expected, { outcomes, requests }) {
  if (requests === 0) throw new Error('nothing was answered within the slot: is the machine busy with something else?');
  if (outcomes[expected] === requests) return;
  throw new Error(`expected ${expected} from every request, and got ${JSON.stringify(outcomes)}`);
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
      stage.tell(`${title}, round ${round}/${stage.options.rounds}: ${contestant.name} ${Math.round(slot.rate)}/s`);
    }
  }
  return new Map([...seen].map(([name, slots]) => [name, { ...medians(slots), slots }]));
}

/** How one contestant's rate compares with another's: the median over rounds, so that a slow minute of the machine hits both. */
export function ratioOf(results, one, other, field = 'rate') {
  const others = results.get(other).slots;
  return median(results.get(one).slots.map((slot, index) => slot[field] / others[index][field]));
}

/** The figures of a contestant that tables show, beside the ratio to another's. */
export function figuresOf(results, name, reference) {
  const { rate, p50, p99, serverCpu, postgresCpu } = results.get(name);
  return { rate, ratio: ratioOf(results, name, reference), p50, p99, serverCpu, postgresCpu };
}

function medians(slots) {
  const fields = Object.keys(slots[0]);
  return Object.fromEntries(fields.map((field) => [field, median(slots.map((slot) => slot[field]))]));
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
