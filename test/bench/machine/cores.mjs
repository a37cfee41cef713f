import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { treeOfProcess } from './accounts.mjs';

/** Keeps each process, all of its threads and all of its children to the first `count` cores. Linux only; elsewhere false. */
export function keepToCores(pids, count = availableParallelism()) {
  try {
    for (const pid of pids.flatMap(treeOfProcess))
      execFileSync('taskset', ['-a', '-c', '-p', `0-${count - 1}`, String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
