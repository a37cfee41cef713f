import 'reflect-metadata';
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { AppConfig } from '../config/app-config.js';
import { withJwtSecret } from '../config/jwt-secret.js';
import { isOnLoopback, loadConfig } from '../config/load-config.js';
import { createApp } from '../create-app.js';
import { demoCommands, prepareDemoData } from './demo-data.js';
import { openLog, type Log } from '../logging/log.js';
import { prepareDatabase } from './prepare-database.js';
import { serve, type BeforeListen } from './serve.js';
import { Shutdown } from './shutdown.js';
import { WebApp } from '../web-app/web-app.js';
import { reportStartupFailure, WorkerPool } from './worker-pool.js';

/** Starts the service in this process or in workers; ends the process if that fails. */
export async function run(): Promise<void> {
  try {
    await begin();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (cluster.isWorker) reportStartupFailure(reason);
    else process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
}

async function begin(): Promise<void> {
  const config = withJwtSecret(loadConfig(cluster.isWorker ? 'worker' : 'service'));
  const log = await openLog(config);
  const shutdown = new Shutdown(log);
  exitOnUncaughtException(log);
  if (!cluster.isWorker) shutdown.followParent(config);
  try {
    await (cluster.isWorker ? startWorker(config, log, shutdown) : start(config, log, shutdown));
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(config: AppConfig, log: Log, shutdown: Shutdown): Promise<void> {
  const embedded = config.DATABASE_URL === '';
  await prepareDatabase(config, log, shutdown);
  if (config.METRICS_PORT > 0) shutdown.add(await (await import('./metrics-server.js')).serveMetrics(config));
  const workers = config.WORKERS === 'auto' ? availableParallelism() : Number(config.WORKERS);
  const prepare = embedded ? prepareDemoData : undefined;
  if (workers > 1 && prepare) await prepareInPrimary(config, log, prepare);
  const server = await (workers === 1 ? serve(config, log, prepare) : WorkerPool.start(config, workers, log));
  shutdown.add(() => server.stop());
  if (config.NODE_ENV === 'production') log.info({ workers }, `listening on ${server.url}`);
  else {
    const hasDemoData = embedded && config.DEMO_DATA && isOnLoopback(config);
    const page = config.WEB_APP && WebApp.isBuilt ? `open ${server.url}/app/ in a browser\n` : '';
    process.stdout.write(`listening on ${server.url}\n${hasDemoData ? `${demoCommands(server.url)}\n` : ''}${page}`);
  }
}

async function prepareInPrimary(config: AppConfig, log: Log, prepare: BeforeListen): Promise<void> {
  const app = await createApp(config, log);
  await prepare(app).finally(() => app.close());
}

async function startWorker(config: AppConfig, log: Log, shutdown: Shutdown): Promise<void> {
  if (config.METRICS_PORT > 0) (await import('../metrics/process-metrics.js')).sendSnapshotsOnRequest();
  const server = await serve(config, log);
  shutdown.add(() => server.stop());
}

/** The state of the process is unknown; a supervisor restarts it. */
function exitOnUncaughtException(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'ending because of an uncaught exception');
    process.exit(1);
  });
}
