import { Module } from '@nestjs/common';
import { MigrationCommands } from './migration.commands.js';

/** The commands that migrate; it needs the settings and no migrated database, so it can also run alone. */
@Module({ providers: [MigrationCommands] })
export class MigrationModule {}
