import { BusinessCalendar, Clock } from '../config/business-calendar.js';
import type { Config } from '../config/config.js';
import { isOnLoopback } from '../config/load-config.js';
import type { Log } from '../logging/log.js';
import { WebApp } from '../web-app/web-app.js';
import { demoCommands } from './demo-data.js';

/** Says where the service listens: to the log in production, else to a person, with what to try. */
export function announce(url: string, config: Config, log: Log, isEmbedded: boolean): void {
  if (config.NODE_ENV === 'production') {
    log.info(`listening on ${url}`);
    return;
  }
  const lines = [`listening on ${url}`];
  if (isEmbedded && config.DEMO_DATA && isOnLoopback(config))
    lines.push(
      'Try it:',
      ...demoCommands(url, new BusinessCalendar(config, new Clock()).yesterday()),
    );
  if (config.WEB_APP && WebApp.isBuilt) lines.push(`open ${url}/app/ in a browser`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
