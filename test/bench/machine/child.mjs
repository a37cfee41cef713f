import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEnd } from './clean-up.mjs';

/** Starts a program of this folder as a process of its own; it leaves when we do. */
export function forkHere(path, environment = {}, execArgv = []) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const child = fork(file, [], { env: { ...process.env, ...environment }, execArgv });
  atEnd(() => stop(child));
  return child;
}

/** What the process says first. Throws where it ends without a word. */
export async function firstMessage(child) {
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`${child.spawnfile} ended with ${code}`)),
  );
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined); // it may end later on
  return message;
}

/** Resolves when the process has ended: asked first, forced after ten seconds. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(force);
}
