import { counter, readGauge } from '../../src/metrics/metrics.js';

test.each<[string, () => number | Promise<number>, number]>([
  ['that works', () => 7, 7],
  ['that works later', () => Promise.resolve(8), 8],
  ['that fails at once', () => JSON.parse('x'), NaN],
  ['that fails later', () => Promise.reject(new Error('x')), NaN],
])('A gauge %s spoils no other', async (_which, read, value) => {
  expect(await readGauge(read)).toBe(value);
});

test('Two counters of one name stop the start', () => {
  counter('once_total', 'x');
  expect(() => counter('once_total', 'x')).toThrow('there is a counter once_total already');
});
