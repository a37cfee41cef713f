import type { INestApplicationContext } from '@nestjs/common';
import type { CommandRun } from '../admin/run-command-line.js';
import { AuditService } from '../audit/audit.service.js';

/** Records an administrator's command in the audit log. */
export async function recordCommand(app: INestApplicationContext, run: CommandRun): Promise<void> {
  const { id, actor, command, subject, argv, outcome, reason } = run;
  const recorded = app.get(AuditService, { strict: false }).record({
    actor,
    action: command.name,
    subject: command.subject === 'restaurant' ? `restaurant:${subject}` : subject,
    outcome,
    details: { argv, run: id, reason },
  });
  await (command.onAnySchema ? recorded.catch(() => undefined) : recorded); // the table may not exist
}
