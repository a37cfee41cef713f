import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../admin/command-result.js';
import { limit, time } from '../admin/values.js';
import { AuditService } from './audit.service.js';

@Injectable()
export class AuditCommands {
  constructor(private readonly audit: AuditService) {}

  @AdminCommand({
    name: 'audit list',
    description: 'List logins, revocations and commands, newest first',
    readOnly: true,
    options: [
      new Option('--user <username>', 'what this user did and what was done to it'),
      new Option(
        '--since <time>',
        '2025-10-15, which begins in UTC, or 2025-10-15T09:00+08:00',
      ).argParser(time),
      new Option('--limit <count>', 'how many events at most').argParser(limit).default(1000),
    ],
  })
  async list(options: { user?: string; since?: Date; limit: number }): Promise<CommandResult> {
    const events = await this.audit.list(options.limit, options.user, options.since);
    const rows = events.map((event) => [
      event.at.toISOString(),
      event.username ?? event.actor,
      event.action,
      event.subject ?? '',
      event.client_address ?? '',
      event.outcome,
      describe(event.details),
    ]);
    const head = ['TIME (UTC)', 'WHO', 'ACTION', 'SUBJECT', 'FROM', 'OUTCOME', 'DETAILS'];
    return { text: formatTable(head, rows), json: events };
  }

  @AdminCommand({
    name: 'audit prune',
    description:
      'Delete, as the owner, failed logins of over a month ago and events older than AUDIT_RETENTION_MONTHS',
  })
  async prune(): Promise<CommandResult> {
    const deleted = await this.audit.prune();
    return { text: `${deleted} events deleted`, json: { deleted } };
  }
}

function describe(details: object): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
