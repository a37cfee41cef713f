import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Linux states CPU time in these. */
const TICKS_PER_SECOND = 100;

/** What must be undone before the program exits, the last thing first. */
const steps = [];
let ending;

/** Runs `step` at the end, however the end comes. Returns a function that runs it now instead. */
export function atEnd(step) {
  steps.push(step);
  return async () => {
    const index = steps.indexOf(step);
    if (index < 0) return;
    steps.splice(index, 1);
    await step();
  };
}

/** Whether the end has begun: what fails from then on fails because of it. */
export function isEnding() {
  return ending !== undefined;
}

/** Runs all steps once, even if one of them fails. */
export function cleanUp() {
  ending ??= (async () => {
    for (let step = steps.pop(); step; step = steps.pop())
      await Promise.resolve(step()).catch((error) =>
        process.stderr.write(`while cleaning up: ${error.message}\n`),
      );
  })();
  return ending;
}

export function cleanUpOnSignals() {
  const leave = (code) => void cleanUp().then(() => process.exit(code));
  process.once('SIGINT', () => leave(130)).once('SIGTERM', () => leave(143));
  process.on('uncaughtException', (error) => {
    if (error.code !== 'EPIPE') process.stderr.write(`${error.stack}\n`);
    leave(1);
  });
}

/** Starts a program of this folder as a process of its own, which ends with this one. */
export function forkHere(path, environment = {}) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  const child = fork(file, [], { env: { ...process.env, ...environment } });
  atEnd(() => stop(child));
  return child;
}

/** Resolves when the process has ended: it is asked first and killed after ten seconds. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(force);
}

/** A process that sends requests; see load/worker.mjs. */
export class Load {
  #child = forkHere('load/worker.mjs');

  get pid() {
    return this.#child.pid;
  }

  /** Resolves with what was measured; the callbacks run as the measured time begins and ends. */
  run(job, { onBegin = () => undefined, onEnd = () => undefined } = {}) {
    return new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`the load process ended with ${code}`));
      const take = ({ begins, ends, failed, result }) => {
        if (begins) return onBegin();
        if (ends) return onEnd();
        this.#child.off('message', take).off('exit', ended);
        return failed === undefined ? resolve(result) : reject(new Error(failed));
      };
      this.#child.on('message', take).once('exit', ended).send(job);
    });
  }
}

/** Milliseconds of CPU that each of these processes and its children have used so far; 0 outside of Linux. */
export function cpuOfTrees(pids) {
  const table = new Map();
  for (const name of processIds()) {
    const fields = statOf(name);
    if (fields) table.set(Number(name), { parent: Number(fields[1]), cpu: cpuOf(fields) });
  }
  const sumOf = (root) => {
    const children = [...table].filter(([, { parent }]) => parent === root);
    return children.reduce((sum, [pid]) => sum + sumOf(pid), table.get(root)?.cpu ?? 0);
  };
  return pids.map((pid) => (pid === undefined ? 0 : sumOf(pid)));
}

/** Resident memory of a process in megabytes; 0 if it has ended, and outside of Linux. */
export function residentMegabytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

function processIds() {
  return process.platform === 'linux'
    ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    : [];
}

/** The fields of /proc/<pid>/stat from the third on: the name before them may hold blanks and brackets. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // it has ended meanwhile
  }
}

/** Of the process and of its children that have ended. */
function cpuOf(fields) {
  const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}
