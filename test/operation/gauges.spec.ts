import { AggregatorRegistry } from 'prom-client';
import { counter, gauge, histogram, metrics } from '../../src/metrics/metrics.js';
import { readMetric } from '../support/read-metric.js';

test.each<[string, () => number | Promise<number>, number]>([
  ['that works', () => 7, 7],
  ['that works later', () => Promise.resolve(8), 8],
  ['that fails at once', () => JSON.parse('x'), NaN],
  ['that fails later', () => Promise.reject(new Error('x')), NaN],
])('A gauge %s spoils no other', async (_which, read, value) => {
  gauge('read_now', 'x', read);
  expect(await readMetric('read_now')).toBe(value);
});

test('Two counters of one name stop the start', () => {
  counter('once_total', 'x');
  expect(() => counter('once_total', 'x')).toThrow('there is a counter once_total already');
});

test('Two histograms of one name stop the start', () => {
  histogram('once_seconds', 'x', [1]);
  expect(() => histogram('once_seconds', 'x', [1])).toThrow('there is a histogram once_seconds already');
});

test('The histograms of two processes are added, also that of one whose counts were summed when it ended', async () => {
  const waits = histogram('waits_seconds', 'How long', [0.5, 1]);
  for (const seconds of [0.25, 0.5, 3]) waits.observe(seconds);
  const metric = metrics.get('waits_seconds')!;
  const snapshot = [{ ...metric, values: await metric.read() }];
  const ended = await AggregatorRegistry.aggregate([snapshot]).getMetricsAsJSON();
  expect((await AggregatorRegistry.aggregate([snapshot, ended]).metrics()).split('\n')).toEqual([
    '# HELP waits_seconds How long',
    '# TYPE waits_seconds histogram',
    'waits_seconds_bucket{le="0.5"} 4',
    'waits_seconds_bucket{le="1"} 4',
    'waits_seconds_bucket{le="+Inf"} 6',
    'waits_seconds_sum 7.5',
    'waits_seconds_count 6',
    '',
  ]);
});
