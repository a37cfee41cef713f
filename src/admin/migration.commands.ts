import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { migrations } from '../../migrations/index.js';
import { DatabaseConfig } from '../config/database.config.js';
import { migrate, missingMigrations, revertMigration } from '../database/migrate.js';
import { CommandRejected } from './admin.errors.js';
import { AdminCommand } from './admin-command.decorator.js';
import { type CommandResult, formatTable } from './command-result.js';

const FORCE = new Option('--force', 'drop tables and columns with all rows: dump them before');

@Injectable()
export class MigrationCommands {
  constructor(private readonly config: DatabaseConfig) {}

  @AdminCommand('migration run', 'Bring the tables up to this release', { onAnySchema: true })
  async run(): Promise<CommandResult> {
    const ran = await migrate(this.config);
    const text = ran.length > 0 ? `migrated: ${ran.join(', ')}` : 'nothing to migrate';
    return { text, json: { ran } };
  }

  @AdminCommand('migration revert', 'Revert the latest migration', {
    options: [FORCE.makeOptionMandatory()],
    onAnySchema: true,
  })
  async revert(): Promise<CommandResult> {
    const reverted = await revertMigration(this.config);
    if (reverted === undefined) throw new CommandRejected('no migration has run');
    return { text: `reverted: ${reverted}`, json: { reverted } };
  }

  @AdminCommand('migration status', 'Show which migrations have run', {
    readOnly: true,
    onAnySchema: true,
  })
  async status(): Promise<CommandResult> {
    const missing = new Set(await missingMigrations(this.config));
    const rows = migrations.map(({ name }) => ({
      name,
      status: missing.has(name) ? 'pending' : 'run',
    }));
    return { text: formatTable(['NAME', 'STATUS'], rows.map(Object.values)), json: rows };
  }
}
