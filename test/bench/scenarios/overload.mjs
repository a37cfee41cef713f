import { RESTAURANTS } from '../contestants/seed.mjs';
import { residentMemory } from '../machine/accounts.mjs';
import { ratioOf, takeTurns } from '../measuring.mjs';

const PEAK = 32;
const SECONDS = 4;
/** Ten times the peak's clients, who wait; and so many that most are refused, who come again at once, as nobody should. */
const CROWDS = [PEAK, 10 * PEAK, 100 * PEAK];

/** Far more clients than can be served: what still gets done, and what it costs to refuse the others. */
export const overload = {
  name: 'overload',
  title: 'Overload: uploads by ever more clients that never pause, fresh',
  onlyWhenAsked: true,
  async run(stage) {
    const service = await stage.service();
    const contestants = CROWDS.map((lanes) => ({ name: `${lanes} clients`, lanes }));
    const results = await takeTurns(stage, 'overload', contestants, ({ lanes }) => measure(stage, service, lanes));
    return contestants.map(({ name }) => {
      const { rate: goodput, refused, p50, p99, megabytes } = results.get(name);
      const ofPeak = ratioOf(results, name, contestants[0].name);
      return {
        clients: name,
        goodput,
        'of peak': ofPeak,
        'refused a second': refused,
        p50,
        p99,
        'resident MB': megabytes,
      };
    });
  },
};

async function measure(stage, { port, pid, token }, lanes) {
  const load = await stage.load();
  const counter = 'overload';
  const first = stage.sent.get(counter) ?? 0;
  const source = { source: 'uploads', port, tokens: [token], pattern: 'fresh', restaurants: RESTAURANTS, first };
  const { outcomes, requests, rate, p50, p99, started } = await load.run({
    ...source,
    lanes,
    warmUpMs: 1500,
    measureMs: SECONDS * 1000,
  });
  stage.sent.set(counter, first + started);
  const { 200: saved = 0, 503: refused = 0 } = outcomes;
  if (saved + refused !== requests) throw new Error(`neither 200 nor 503: ${JSON.stringify(outcomes)}`);
  const share = (count) => (rate * count) / requests;
  return { rate: share(saved), refused: share(refused), p50, p99, megabytes: residentMemory(pid) / 1e6 };
}
