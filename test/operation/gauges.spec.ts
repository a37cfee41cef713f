import { gauge } from '../../src/metrics/gauge.js';
import { readMetric } from './read-metric.js';

test.each<[string, () => number | Promise<number>, number]>([
  ['that works', () => 7, 7],
  ['that works later', () => Promise.resolve(8), 8],
  ['that fails at once', () => JSON.parse('x'), NaN],
  ['that fails later', () => Promise.reject(new Error('x')), NaN],
])(
  'A gauge %s spoils no other, and is taken over by a second application',
  async (_which, read, value) => {
    gauge('read_now', 'x', read);
    expect(await readMetric('read_now')).toBe(value);
  },
);
