import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuditCommands } from './audit.commands.js';
import { MigrationCommands } from './migration.commands.js';

@Module({ imports: [AuditModule], providers: [AuditCommands, MigrationCommands] })
export class AdminModule {}
