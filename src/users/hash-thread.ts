import type { MessagePort } from 'node:worker_threads';

/** Work for a hashing thread: at most one comparison, then one new hash for each cost. */
export interface HashJob {
  readonly password: string;
  readonly compareWith?: string;
  readonly costs: readonly number[];
}

export interface HashResult {
  readonly equal: boolean;
  /** Of the last cost; empty where there was none. */
  readonly hash: string;
}

/** What the thread sends back for each job. */
export type HashReply = HashResult | { readonly fault: string };

interface ThreadContext {
  readonly parentPort: MessagePort;
  /** The path of bcrypt. */
  readonly workerData: string;
}

/**
 * The program of a hashing thread. It travels as text, so that it is the same from `dist` and under Jest, and must
 * therefore use nothing from around it.
 *
 * On Linux the thread takes a tenth of the weight that others have: where cores are idle it loses nothing by it, and
 * where uploads want them it gives way. Elsewhere the priority would be the whole process's, so it is left alone.
 */
export function hashThread(): void {
  const { parentPort, workerData: path } = process.getBuiltinModule('node:worker_threads') as ThreadContext;
  const { createRequire } = process.getBuiltinModule('node:module');
  const { setPriority } = process.getBuiltinModule('node:os');
  const bcrypt = createRequire(path)(path) as typeof import('bcrypt');
  try {
    if (process.platform === 'linux') setPriority(10);
  } catch {
    // Not allowed here: the bounded number of threads has to do.
  }
  const run = ({ password, compareWith, costs }: HashJob): HashReply => {
    const equal = compareWith !== undefined && bcrypt.compareSync(password, compareWith);
    let hash = '';
    for (const cost of costs) hash = bcrypt.hashSync(password, cost);
    return { equal, hash };
  };
  parentPort.on('message', (job: HashJob) => {
    try {
      parentPort.postMessage(run(job));
    } catch (error) {
      parentPort.postMessage({ fault: String(error) });
    }
  });
}
