import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AuditService } from '../audit/audit.service.js';
import type { ListedEvent } from '../audit/audit-event.entity.js';
import { AdminCommand } from './admin-command.decorator.js';
import { type CommandResult, escapeControls, formatTable } from './command-result.js';
import { limit, time, wholeNumber } from './values.js';

interface ListOptions {
  readonly user?: string;
  readonly restaurant?: string;
  readonly since?: Date;
  readonly limit?: number;
  readonly jsonLines?: boolean;
}

@Injectable()
export class AuditCommands {
  constructor(private readonly audit: AuditService) {}

  @AdminCommand('audit list', 'List logins, revocations and commands, newest first', {
    readOnly: true,
    options: [
      new Option('--user <username>', 'what this user did and what was done to it'),
      new Option('--restaurant <id>', 'what was done to this restaurant').argParser(
        (id) => `restaurant:${wholeNumber(id)}`,
      ),
      new Option('--since <time>', 'a day in UTC, or 2025-10-15T09:00+08:00').argParser(time),
      new Option('--limit <count>', 'at most so many (default: 1000, or all lines)').argParser(
        limit,
      ),
      new Option('--json-lines', 'print each event as JSON on a line of its own'),
    ],
  })
  async list({ jsonLines, limit, ...options }: ListOptions): Promise<CommandResult> {
    const { user: username, restaurant: subject, since } = options;
    const filter = { username, subject, since, limit: limit ?? (jsonLines ? Infinity : 1000) };
    if (jsonLines) return { text: linesOf(this.audit.list(filter)), json: null };
    const events: ListedEvent[] = [];
    for await (const event of this.audit.list(filter)) events.push(event);
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

  @AdminCommand('audit prune', 'Delete, as the owner, events that are no longer kept', {
    ownTransactions: true,
  })
  async prune(): Promise<CommandResult> {
    const deleted = await this.audit.prune();
    return { text: `${deleted} events deleted`, json: { deleted } };
  }
}

async function* linesOf(events: AsyncIterable<ListedEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${escapeControls(JSON.stringify(event))}\n`;
}

function describe(details: object): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
