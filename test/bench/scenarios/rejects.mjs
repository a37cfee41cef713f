import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads, uploaders } from './uploading.mjs';

const FAULTS = [
  { fault: 'one amount of the 24 records is negative', change: { spoil: true }, expected: 400 },
  { fault: 'no token', change: { tokens: undefined }, expected: 401 },
];

const SLOT_MS = 1000;

/** Uploads that are refused, and what a refusal costs. */
export const rejects = {
  name: 'rejects',
  title: 'Rejected uploads, 32 connections',
  async run(stage) {
    const contestants = await uploaders(stage, ['reference', 'service']);
    const rows = [];
    for (const { fault, change, expected } of FAULTS) {
      const what = { lanes: 32, pattern: 'resend', measureMs: SLOT_MS, expected, ...change };
      const results = await takeTurns(stage, fault, contestants, (one) => measureUploads(stage, one, what));
      rows.push(
        ...contestants.map(({ name }) => ({ fault, contestant: name, ...figuresOf(results, name, 'reference') })),
      );
    }
    return rows;
  },
};
