import { Module } from '@nestjs/common';
import { MigrationCommands } from './migration.commands.js';

@Module({ providers: [MigrationCommands] })
export class AdminModule {}
