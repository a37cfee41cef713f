import { forkHere } from '../machine/child.mjs';

/** The parent's side of a load process. */
export class Load {
  #child = forkHere('load/worker.mjs');

  get pid() {
    return this.#child.pid;
  }

  /** What was measured; `onBegin` and `onEnd` are called as the measured time begins and ends. */
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
