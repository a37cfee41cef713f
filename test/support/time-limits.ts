import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

const MAX_FACTOR = 10;
const TICK_MS = 50;

/** Stretches a time limit by how busy the machine is, or by TEST_TIME_FACTOR: slow machines take longer, no more. */
export function stretched(milliseconds: number): number {
  const busy = Math.max(1 + 4 * shareOfWaiting(), loadavg()[0]! / availableParallelism());
  return milliseconds * Number(process.env['TEST_TIME_FACTOR'] ?? Math.min(MAX_FACTOR, busy));
}

/** The share of the last ten seconds in which work waited for a processor: the load average follows after a minute. */
function shareOfWaiting(): number {
  try {
    const [, percent] = /^some avg10=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))!;
    return Number(percent) / 100;
  } catch {
    return 0; // not Linux
  }
}

/** The milliseconds that work took, without those in which this process did not get to run. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; ms: number }> {
  const begunAt = performance.now();
  let stalledMs = 0;
  let tickAt = begunAt;
  const tick = (): void => {
    const lateMs = performance.now() - tickAt - TICK_MS;
    if (lateMs > TICK_MS) stalledMs += lateMs;
    tickAt = performance.now();
  };
  const timer = setInterval(tick, TICK_MS);
  const result = await work().finally(() => clearInterval(timer));
  tick();
  return { result, ms: performance.now() - begunAt - stalledMs };
}
