import type { Config } from '../config/config.js';
import type { Log } from '../logging/log.js';
import { WebApp } from '../web-app/web-app.js';

/** Says where the service listens: in production to the log, else to a person, with commands. */
export function announce(url: string, config: Config, log: Log, commands: readonly string[]): void {
  if (config.NODE_ENV === 'production') {
    log.info(`listening on ${url}`);
    return;
  }
  const lines = [`listening on ${url}`];
  if (commands.length > 0) lines.push('Try it:', ...commands);
  if (config.WEB_APP && WebApp.isBuilt) lines.push(`open ${url}/app/ in a browser`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
