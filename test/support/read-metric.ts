import { metrics } from '../../src/metrics/metrics.js';

/** The value of a counter or gauge of this process; 0 if there is none. */
export async function readMetric(name: string): Promise<number> {
  return (await metrics.get(name)?.read())?.[0]?.value ?? 0;
}
