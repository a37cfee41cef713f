import { availableParallelism, loadavg } from 'node:os';

const MAX_FACTOR = 10;

/** Stretches a time limit by how busy the machine is, or by TEST_TIME_FACTOR: slow machines take longer, no more. */
export function stretched(milliseconds: number): number {
  const busy = Math.min(MAX_FACTOR, Math.max(1, loadavg()[0]! / availableParallelism()));
  return milliseconds * Number(process.env['TEST_TIME_FACTOR'] ?? busy);
}
