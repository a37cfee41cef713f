import { register } from 'prom-client';

/** The value of a counter or gauge of this process; 0 if there is none. */
export async function readMetric(name: string): Promise<number> {
  return (await register.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
}
