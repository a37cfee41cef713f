import { Gauge, register } from 'prom-client';

/**
 * Registers a gauge that is read with the metrics. A second application takes its name over.
 * It is NaN if reading fails, so that the other metrics are still reported.
 */
export function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  register.removeSingleMetric(name);
  const readSafely = () => Promise.resolve().then(read).catch(() => NaN); // prettier-ignore
  new Gauge({
    name,
    help,
    async collect() {
      this.set(await readSafely());
    },
  });
}
