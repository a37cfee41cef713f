import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import { cleanUp, cleanUpOnSignals, isEnding } from './machine/clean-up.mjs';
import { Stage } from './machine/stage.mjs';
import { readOptions } from './options.mjs';
import { toMarkdown } from './report.mjs';
import { SCENARIOS } from './scenarios/index.mjs';

const options = readOptions();
cleanUpOnSignals();
try {
  if (options.tables) process.stdout.write(toMarkdown(JSON.parse(await readFile(options.tables, 'utf8'))));
  else if (options.list)
    process.stdout.write(`${SCENARIOS.map(({ name, title }) => `${name}: ${title}`).join('\n')}\n`);
  else await main();
} catch (error) {
  if (!isEnding()) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

async function main() {
  const begin = performance.now();
  const stage = new Stage(options, (line) => {
    process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
  });
  const scenarios = [];
  for (const scenario of chosen()) scenarios.push(await play(scenario, stage));
  const results = { machine: await machineOf(stage), seconds: (performance.now() - begin) / 1000, scenarios };
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : toMarkdown(results));
}

/** One that fails is told in its place, and the others still run. */
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

function chosen() {
  if (!options.only) return SCENARIOS.filter(({ onlyWhenAsked }) => !onlyWhenAsked);
  return options.only.map((wanted) => {
    const scenario = SCENARIOS.find(({ name }) => name === wanted);
    if (!scenario) throw new Error(`there is no scenario ${wanted}: --list names them`);
    return scenario;
  });
}

async function machineOf(stage) {
  const { version: postgres } = await stage.postgres();
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    model: cpus()[0].model.trim(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres,
  };
}
