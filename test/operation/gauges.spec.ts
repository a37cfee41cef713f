import { register } from 'prom-client';
import { counter, gauge, histogram } from '../../src/metrics/metrics.js';
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
  expect(() => counter('once_total', 'x')).toThrow('once_total has already been registered');
});

test('Two histograms of one name stop the start', () => {
  histogram('once_seconds', 'x', [1]);
  expect(() => histogram('once_seconds', 'x', [1])).toThrow('once_seconds has already been registered');
});

test('A histogram counts values by the bounds that they do not exceed', async () => {
  const waits = histogram('waits_seconds', 'How long', [0.5, 1]);
  for (const seconds of [0.25, 0.5, 3]) waits.observe(seconds);
  expect((await register.getSingleMetricAsString('waits_seconds')).split('\n')).toEqual([
    '# HELP waits_seconds How long',
    '# TYPE waits_seconds histogram',
    'waits_seconds_bucket{le="0.5"} 2',
    'waits_seconds_bucket{le="1"} 2',
    'waits_seconds_bucket{le="+Inf"} 3',
    'waits_seconds_sum 3.75',
    'waits_seconds_count 3',
  ]);
});
