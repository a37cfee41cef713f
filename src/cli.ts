import 'reflect-metadata';
import { runCommandLine } from './admin/run-command-line.js';
import { loadConfig } from './config/load-config.js';
import { openApp } from './server/open-app.js';

// process.exit() also stops a database that was started for this command.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
process.once('SIGHUP', () => process.exit(129));
process.stdout.on('error', () => undefined); // the failed write reports it

const status = await runCommandLine(process.argv.slice(2), process, (command, embedded) =>
  openApp(command, loadConfig('command line'), embedded),
);
process.exit(status);
