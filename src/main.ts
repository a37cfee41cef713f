import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from './config/config.js';
import { withJwtSecret } from './config/jwt-secret.js';
import { isOnLoopback, loadConfig, placeProblems, settingsError } from './config/load-config.js';
import { RELEASE } from './config/release.js';
import { createApp } from './create-app.js';
import { createLog, type Log } from './logging/log.js';
import { RestaurantsService } from './restaurants/restaurants.service.js';
import { DEMO, demoCommands, hasDemoData, prepareDemoData } from './server/demo-data.js';
import { serveMetrics } from './server/metrics-server.js';
import { prepareDatabase } from './server/prepare-database.js';
import { assertPortIsFree, drain, serve } from './server/serve.js';
import { Shutdown } from './server/shutdown.js';
import { isWebAppBuilt } from './web-app/web-app.js';

const WITHOUT_PROXY =
  'listening to everybody without a proxy: deploy/nginx or deploy/haproxy limit connections';

/** Between two lines that say what a start is doing. */
const PROGRESS_MS = 10_000;

/** Starts the service; what has been started ends if a later step fails. */
async function main(): Promise<void> {
  const settings = loadConfig();
  const log = await createLog(settings);
  const shutdown = new Shutdown(log);
  let doing = 'starting';
  const progress = setInterval(() => log.info(`still ${doing}`), PROGRESS_MS).unref();
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'ending because of an uncaught exception');
    process.exit(1); // the state of the process is unknown
  });
  if (settings.EXIT_WITH_PARENT) shutdown.followParent();
  try {
    if (settings.NODE_ENV === 'production') log.info(`version ${RELEASE}, Node ${process.version}`);
    await assertPortIsFree(settings); // before a database is made
    const isEmbedded = settings.DATABASE_URL === '';
    doing = 'preparing the database';
    const DATABASE_URL = await prepareDatabase(settings, log, shutdown);
    const config = withJwtSecret({ ...settings, DATABASE_URL });
    if (config.METRICS_PORT > 0) await serveMetrics(config);
    doing = 'making the application';
    const app = await createApp(config, log);
    shutdown.add(() => app.close());
    if (config.NODE_ENV === 'production') await assertPlaceIsChosen(app, log);
    doing = 'adding demo data';
    if (isEmbedded) await prepareDemoData(app, config);
    clearInterval(progress);
    const url = await serve(app, config);
    shutdown.add(() => drain(app, config));
    if (!isOnLoopback(config) && config.TRUST_PROXY === '') log.warn(WITHOUT_PROXY);
    const lines = linesOf(app, config, url, isEmbedded);
    if (config.NODE_ENV === 'production') log.info(lines[0]);
    else process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

/** Refuses to begin with a time zone or a currency that nobody has chosen; warns later on. */
async function assertPlaceIsChosen(app: INestApplicationContext, log: Log): Promise<void> {
  const problems = placeProblems();
  const isNew = problems.length > 0 && (await app.get(RestaurantsService).list()).length === 0;
  if (isNew) throw settingsError(problems);
  for (const problem of problems) log.warn(`${problem}: the default is used`);
}

/** Returns what a start says to whoever began it. */
function linesOf(app: INestApplicationContext, config: Config, url: string, isEmbedded: boolean) {
  const lines = [`listening on ${url}`];
  const isDemo = isEmbedded && hasDemoData(config);
  if (config.WEB_APP && isWebAppBuilt) {
    const login = isDemo ? `, user ${DEMO.username}, password ${DEMO.password}` : '';
    lines.push(`open ${url}/app/ in a browser${login}`, `try every call on ${url}/api/v1/docs`);
  }
  if (isDemo) lines.push(...demoCommands(app, url));
  else lines.push('the first user: npm run --silent admin -- user add <name>');
  return lines;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
