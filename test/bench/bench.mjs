import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { showTable } from '../drills/programs.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { Stage } from './stage.mjs';

/** What the service is meant to reach: a figure of its rows in a scenario, and its bound. */
const GOALS = [
  ['uploads', 'of the reference', 'at least', 0.75],
  ['uploads', 'p99 of the reference', 'at most', 1.5],
  ['uploads', 'of before', 'at least', 0.95],
  ['rejects', 'of the reference', 'at least', 0.75],
  ['logins', 'of bcrypt alone', 'at least', 0.95],
  ['mixed', 'of calm', 'at least', 0.5],
  ['start', 'ready ms', 'at most', 1200],
  ['start', 'embedded ready ms', 'at most', 2000],
  ['start', 'idle MB', 'at most', 130],
  ['start', 'under uploads MB', 'at most', 230],
  ['reports', 'of its goal', 'at most', 1],
  ['page', 'first figures ms', 'at most', 1000],
  ['page', 'longest block ms', 'at most', 100],
  ['page', 'key ms', 'at most', 100],
  ['page', 'requests of most', 'at most', 1],
  ['page', 'kB of most', 'at most', 1],
  ['page', 'failed', 'at most', 0],
  ['page', 'refresh kB', 'at most', 60],
  ['closing-time', 'of bcrypt alone', 'at least', 0.95],
  ['closing-time', 'longest wait s', 'at most', 5],
  ['closing-time', 'lost', 'at most', 0],
];

/** Each goal of a scenario with the worst figure seen; a goal without a figure is left out. */
function judge(scenario, rows) {
  const goals = GOALS.filter(([name]) => name === scenario);
  return goals.flatMap(([, figure, bound, limit]) => {
    const ofService = rows.filter(({ contestant }) => contestant === 'service');
    const figures = ofService.map((row) => row[figure]).filter((seen) => seen !== undefined);
    if (figures.length === 0) return [];
    const worst = bound === 'at least' ? Math.min(...figures) : Math.max(...figures);
    const reached = bound === 'at least' ? worst >= limit : worst <= limit;
    return [{ scenario, figure, wanted: `${bound} ${limit}`, worst, reached }];
  });
}

const NAMES = Object.keys(SCENARIOS).join();
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: NAMES },
    against: { type: 'string' },
    nest: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    tills: { type: 'string', default: '1000,3000' },
    days: { type: 'string', default: '400' },
    restaurants: { type: 'string', default: '6,60,1000' },
  },
});
const stage = new Stage({
  against: values.against && resolve(values.against),
  nest: values.nest,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  tills: values.tills.split(',').map(Number),
  days: Number(values.days),
  restaurants: values.restaurants.split(',').map(Number),
});
const interrupted = new Promise((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => reject(new Error(`ended by ${signal}`)));
});
try {
  await Promise.race([play(values.only.split(',')), interrupted]);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
}
await stage.close();
process.exit();

async function play(names) {
  if (!names.every((name) => SCENARIOS[name])) throw new Error(`--only takes some of ${NAMES}`);
  await stage.open();
  process.stdout.write(`${cpus().length} cores (${cpus()[0].model}), Node ${process.version}\n`);
  const goals = [];
  for (const name of names) {
    const rows = await SCENARIOS[name](stage);
    process.stdout.write(`\n${name}\n`);
    showTable(rows);
    goals.push(...judge(name, rows));
  }
  showTable(goals);
}
