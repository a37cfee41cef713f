import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { cleanUp, cleanUpOnSignals, isEnding } from './processes.mjs';
import { toMarkdown } from './report.mjs';
import { closingTime } from './scenarios/closing-time.mjs';
import { logins } from './scenarios/logins.mjs';
import { mixed } from './scenarios/mixed.mjs';
import { rejects } from './scenarios/rejects.mjs';
import { start } from './scenarios/start.mjs';
import { uploads } from './scenarios/uploads.mjs';
import { Stage } from './stage.mjs';

/** In the order in which they run. */
const SCENARIOS = [uploads, rejects, logins, mixed, start, closingTime];

const USAGE = `npm run bench -- [options]
  --only a,b           only some of: ${SCENARIOS.map(({ name }) => name).join(', ')}
  --against FOLDER     another version of the service, built, which takes turns with this one
  --rounds n           rounds whose median is shown, at least 3 (default 3)
  --seconds n          length of one measured slot (default 1)
  --connections a,b    connections of the scenario of uploads (default 8,32,64)
  --tills a,b          tills of the scenario of closing time (default 1000,3000)`;

cleanUpOnSignals();
try {
  await main(readOptions());
} catch (error) {
  if (!isEnding()) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

async function main(options) {
  const begin = performance.now();
  const stage = new Stage(options, (line) => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(0).padStart(4);
    process.stderr.write(`${seconds} s  ${line}\n`);
  });
  const scenarios = [];
  for (const scenario of SCENARIOS)
    if (!options.only || options.only.includes(scenario.name))
      scenarios.push(await play(scenario, stage));
  const { version: postgres } = await stage.postgres();
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    model: cpus()[0].model.trim(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres,
  };
  process.stdout.write(toMarkdown({ machine, scenarios }));
}

/** A scenario that fails is reported in its place, and the others still run. */
async function play({ name, title, run }, stage) {
  try {
    return { name, title, rows: await run(stage) };
  } catch (error) {
    if (isEnding()) throw error;
    process.exitCode = 1;
    process.stderr.write(`${name} failed: ${error.stack}\n`);
    return { name, title, rows: [{ failed: error.message }] };
  }
}

/** Prints the usage and exits if the command line cannot be understood. */
function readOptions() {
  const text = (value) => ({ type: 'string', default: value });
  try {
    const { values } = parseArgs({
      options: {
        only: text(undefined),
        against: text(undefined),
        rounds: text('3'),
        seconds: text('1'),
        connections: text('8,32,64'),
        tills: text('1000,3000'),
      },
    });
    const numbers = (name, least) =>
      values[name].split(',').map((one) => atLeast(least, name, one));
    return {
      ...values,
      only: values.only?.split(','),
      against: values.against && resolve(values.against),
      rounds: numbers('rounds', 3)[0],
      seconds: numbers('seconds', 0.2)[0],
      connections: numbers('connections', 1),
      tills: numbers('tills', 1),
    };
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    process.exit(2);
  }
}

function atLeast(least, name, text) {
  const number = Number(text);
  if (!(number >= least)) throw new Error(`--${name} must be a number of at least ${least}`);
  return number;
}
