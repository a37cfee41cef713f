import { Module } from '@nestjs/common';
import { MigrationCommands } from './migration.commands.js';

/** The administrator's commands that belong to no feature. */
@Module({ providers: [MigrationCommands] })
export class AdminModule {}
