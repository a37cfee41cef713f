import { figuresOf, measureUploads, takeTurns } from '../measuring.mjs';

const FAULTS = [
  {
    fault: 'one amount of the 24 records is negative',
    change: { isNegative: true },
    expected: 400,
  },
  { fault: 'no token', change: { token: undefined }, expected: 401 },
];

/** Uploads that are rejected, and what a rejection costs. */
export const rejects = {
  name: 'rejects',
  title: 'Rejected uploads, 32 connections',
  async run(stage) {
    const { contestants } = stage;
    const rows = [];
    for (const { fault, change, expected } of FAULTS) {
      const what = { lanes: 32, pattern: 'overwrite', change, expected };
      const results = await takeTurns(stage, fault, contestants, (one) =>
        measureUploads(stage, one, what),
      );
      rows.push(...contestants.map(({ name }) => ({ fault, ...figuresOf(results, name) })));
    }
    return rows;
  },
};
