import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads, uploaders } from './uploading.mjs';

/** The same bytes once more: a client that retries. */
export const resend = {
  name: 'resend',
  title: 'The same upload sent again, 32 connections',
  async run(stage) {
    const contestants = await uploaders(stage, ['reference', 'service']);
    const results = await takeTurns(stage, 'resend', contestants, (one) =>
      measureUploads(stage, one, { lanes: 32, pattern: 'resend' }),
    );
    return contestants.map(({ name }) => ({ contestant: name, ...figuresOf(results, name, 'reference') }));
  },
};
