import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditCommands } from './audit.commands.js';
import { AuditService } from './audit.service.js';
import { AuditEvent } from './audit-event.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  providers: [AuditService, AuditCommands],
  exports: [AuditService],
})
export class AuditModule {}
