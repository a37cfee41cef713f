import { Gauge, register } from 'prom-client';

/** Registers a gauge that is read with the metrics. A second application takes its name over. */
export function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    async collect() {
      try {
        this.set(await read());
      } catch {
        this.set(NaN); // so that the other metrics are still reported
      }
    },
  });
}
