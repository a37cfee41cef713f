import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { judge, toSection } from './report.mjs';
import { closingTime } from './scenarios/closing-time.mjs';
import { logins } from './scenarios/logins.mjs';
import { mixed } from './scenarios/mixed.mjs';
import { rejects } from './scenarios/rejects.mjs';
import { start } from './scenarios/start.mjs';
import { uploads } from './scenarios/uploads.mjs';
import { Stage } from './stage.mjs';

const SCENARIOS = [uploads, rejects, logins, mixed, start, closingTime];
const NAMES = SCENARIOS.map(({ name }) => name).join();

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: NAMES },
    against: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    tills: { type: 'string', default: '1000,3000' },
  },
});
const stage = new Stage({
  against: values.against && resolve(values.against),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  tills: values.tills.split(',').map(Number),
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
  const scenarios = names.map((name) => SCENARIOS.find((one) => one.name === name));
  if (scenarios.includes(undefined)) throw new Error(`--only takes some of ${NAMES}`);
  await stage.open();
  process.stdout.write(`${cpus().length} cores (${cpus()[0].model}), Node ${process.version}\n`);
  const goals = [];
  for (const { name, title, run } of scenarios) {
    const rows = await run(stage);
    process.stdout.write(toSection(title, rows));
    goals.push(...judge(name, rows));
  }
  process.stdout.write(toSection('Goals', goals));
}
