import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection } from '../drills/load.mjs';
import { processesOf } from '../drills/postgres.mjs';

const SLOT_WARM_UP_MS = 300;

/** Linux states CPU time in ticks of this. */
const TICK_MS = 10;

/**
 * Keeps `lanes` calls of `once(lane)` under way, each lane's next one beginning when its last one
 * ended, and measures those that end within the slot: the calls, the rate a second, the latency in
 * milliseconds, and the CPU of the process `pid` and of PostgreSQL in milliseconds a call. Fails if
 * one resolves with another status than the expected one.
 *
 * A slot lasts until as many calls as there are lanes have ended, which hashes on a busy machine
 * do in more than its seconds. The rate is reckoned from the first end to the last one, so that
 * slow calls are not rounded to whole slots.
 */
export async function measureSlot(stage, { once, lanes, pid, expected = 200, seconds }) {
  await stage.settle();
  let isOver = false;
  let calls = [];
  const lane = async (number) => {
    while (!isOver) {
      const begin = performance.now();
      const status = await once(number);
      const end = performance.now();
      if (status !== expected) throw new Error(`${status} in place of ${expected}`);
      calls.push({ end, ms: end - begin });
    }
  };
  const pids = [pid, stage.postgresPid];
  const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  await Promise.race([running, delay(SLOT_WARM_UP_MS)]);
  calls = [];
  const before = pids.map(cpuOf);
  await Promise.race([running, delay(seconds * 1000)]);
  while (calls.length < lanes) await Promise.race([running, delay(100)]);
  const after = pids.map(cpuOf);
  const measured = calls;
  calls = [];
  isOver = true;
  await running;
  const { length } = measured;
  const [serverCpu, postgresCpu] = after.map((ms, index) => (ms - before[index]) / length);
  const rate = ((length - 1) * 1000) / (measured.at(-1).end - measured[0].end);
  const latencies = measured.map(({ ms }) => ms);
  const [p50, p99] = [0.5, 0.99].map((rank) => percentile(latencies, rank));
  return { calls: length, rate, p50, p99, serverCpu, postgresCpu };
}

/** Measures the requests that `next()` returns, over a kept-alive connection for each lane. */
export async function measureRequests(stage, { port, pid }, { next, ...slot }) {
  const connections = Array.from({ length: slot.lanes }, () => new HttpConnection(port));
  const once = async (lane) => (await connections[lane].send(next())).status;
  const measured = measureSlot(stage, { ...slot, pid, once });
  return measured.finally(() => connections.forEach((connection) => connection.close()));
}

/**
 * Lets the contestants take turns for some rounds, every other round in the reverse order, and
 * answers each one's medians, with the `slots` themselves. `measure(contestant)` answers an object
 * of numbers.
 */
export async function takeTurns({ options: { rounds } }, title, contestants, measure) {
  const seen = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const contestant of round % 2 ? contestants : [...contestants].reverse()) {
      process.stderr.write(`${title}, round ${round} of ${rounds}: ${contestant.name}\n`);
      seen.get(contestant.name).push(await measure(contestant));
    }
  }
  const mediansOf = (slots) =>
    Object.keys(slots[0]).map((field) => [field, median(slots.map((slot) => slot[field]))]);
  return new Map(
    [...seen].map(([name, slots]) => [name, { ...Object.fromEntries(mediansOf(slots)), slots }]),
  );
}

/** How one contestant compares with another: the median over rounds, so that a slow minute of the machine hits both. */
export function ratioOf(results, one, other, field = 'rate') {
  const others = results.get(other)?.slots;
  return (
    others &&
    median(results.get(one).slots.map((slot, index) => slot[field] / others[index][field]))
  );
}

/** The figures that tables show: those of each contestant, and its rate as a share of others'. */
export function figuresOf(results, name) {
  const { rate, p50, p99, serverCpu, postgresCpu } = results.get(name);
  return {
    contestant: name,
    'per second': rate,
    'p50 ms': p50,
    'p99 ms': p99,
    'server CPU ms each': serverCpu,
    'PostgreSQL CPU ms each': postgresCpu,
    'of the reference': ratioOf(results, name, 'reference'),
    'of bare Nest': name === 'bare Nest' ? undefined : ratioOf(results, name, 'bare Nest'),
    'p99 of the reference': ratioOf(results, name, 'reference', 'p99'),
    'of before': name === 'service' ? ratioOf(results, name, 'before') : undefined,
  };
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

export function percentile(numbers, rank) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.ceil(rank * sorted.length) - 1];
}

/** Milliseconds of CPU that a process and its children have used so far; 0 outside of Linux. */
function cpuOf(pid) {
  if (!existsSync('/proc/self/stat')) return 0;
  return processesOf(pid).reduce((sum, each) => sum + ticksOf(each) * TICK_MS, 0);
}

/** Of a process and of its children that have ended; 0 if it has ended meanwhile itself. */
function ticksOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')')).split(' '); // the name before may hold blanks
    return fields.slice(12, 16).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

/** Resident memory of a process in megabytes; NaN outside of Linux. */
export function residentMegabytes(pid) {
  if (!existsSync('/proc/self/status')) return NaN;
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return (Number(kilobytes) * 1024) / 1e6;
}
