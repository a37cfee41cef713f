import { Module } from '@nestjs/common';
import { AuditCommands } from './audit.commands.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

@Module({
  providers: [AuditService, AuditRepository, AuditCommands],
  exports: [AuditService],
})
export class AuditModule {}
