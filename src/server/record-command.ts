import type { INestApplicationContext } from '@nestjs/common';
import type { CommandRun } from '../admin/run-command-line.js';
import { AuditService } from '../audit/audit.service.js';
import { Database } from '../database/database.js';

/** Records an administrator's command in the audit log. */
export async function recordCommand(app: INestApplicationContext, run: CommandRun): Promise<void> {
  const { id, actor, command, subject, argv, outcome, reason } = run;
  const event = {
    actor,
    action: command.name,
    subject: command.subject === 'restaurant' ? `restaurant:${subject}` : (subject ?? null),
    outcome,
    details: { argv, run: id, reason },
  };
  const recorded = app.get(Database).transaction(async (transaction) => {
    await transaction.query('SET TRANSACTION READ WRITE'); // the command itself may only read
    await app.get(AuditService, { strict: false }).record(event, transaction);
  });
  // The table may not exist.
  await (command.onAnySchema ? recorded.catch(() => undefined) : recorded);
}
