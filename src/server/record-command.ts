import type { INestApplicationContext } from '@nestjs/common';
import type { CommandRun } from '../admin/run-recorded.js';
import type { AuditEvent } from '../audit/audit-event.entity.js';
import { AuditService } from '../audit/audit.service.js';

/** Records an administrator's command in the audit log. */
export async function recordCommand(app: INestApplicationContext, run: CommandRun): Promise<void> {
  const recorded = app.get(AuditService, { strict: false }).record(toAuditEvent(run));
  await (run.command.onAnySchema ? recorded.catch(() => undefined) : recorded); // the table may not exist
}

function toAuditEvent({ id, operatingSystemUser, command, subject, argv, outcome, reason }: CommandRun): AuditEvent {
  const prefix = command.subject === 'restaurant' ? 'restaurant:' : '';
  return {
    actor: `administrator:${operatingSystemUser}`,
    action: command.name,
    ...(subject === undefined ? {} : { subject: prefix + subject }),
    outcome,
    details: { argv, run: id, ...(reason === undefined ? {} : { reason }) },
  };
}
