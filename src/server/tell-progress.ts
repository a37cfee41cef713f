import type { Log } from '../logging/log.js';

const INTERVAL_MS = 10_000;

/** Says every ten seconds what a start is doing; returns a function that is told so, or undefined at its end. */
export function tellProgress(log: Log): (doing: string | undefined) => void {
  let current = 'starting';
  const timer = setInterval(() => log.info(`still ${current}`), INTERVAL_MS).unref();
  return (doing) => {
    if (doing === undefined) clearInterval(timer);
    else current = doing;
  };
}
