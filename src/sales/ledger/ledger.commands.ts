import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { day, limit, wholeNumber } from '../../admin/values.js';
import { countHours, listHours } from '../../calendar/hour-set.js';
import { LedgerService, type UploadFilter, type Values } from './ledger.service.js';

const HEAD = [
  'TIME (UTC)', 'RESTAURANT', 'DATE', 'USER', 'FROM', 'SOURCE', 'RECORDS', 'CHANGED HOURS',
  'REPLACED HOURS',
]; // prettier-ignore

@Injectable()
export class LedgerCommands {
  constructor(private readonly ledger: LedgerService) {}

  @AdminCommand(
    'sales verify',
    'Compare stored figures with the ledger; exit status 1 if they differ',
    {
      readOnly: true,
    },
  )
  async verify(): Promise<CommandResult> {
    const json = await this.ledger.verify();
    const { days, differences, reported } = json;
    const lines = reported.map(({ restaurant_id, date, hour, stored, ledger }) => {
      const where = `restaurant ${restaurant_id}, ${date}${hour === null ? '' : `, hour ${hour}`}`;
      return `${where}: stored ${asWords(stored)}; the ledger says ${asWords(ledger)}`;
    });
    if (differences > reported.length) lines.push('...');
    lines.push(`${days} days compared with the ledger: ${differences} differences`);
    return { text: lines.join('\n'), json, exitStatus: differences === 0 ? 0 : 1 };
  }

  @AdminCommand('sales uploads', 'List uploads with where they came from, newest first', {
    readOnly: true,
    options: [
      new Option('--restaurant <id>', 'only of this restaurant').argParser(wholeNumber),
      new Option('--user <username>', 'only by this user'),
      new Option('--since <date>', 'that came on this day or later, in TIME_ZONE').argParser(day),
      new Option('--until <date>', 'that came on this day or earlier, in TIME_ZONE').argParser(day),
      new Option('--limit <count>', 'how many uploads at most').argParser(limit).default(1000),
    ],
  })
  async uploads(filter: UploadFilter): Promise<CommandResult> {
    const uploads = await this.ledger.list(filter);
    const rows = uploads.map((upload) => [
      upload.uploaded_at,
      upload.restaurant_id,
      upload.date,
      upload.username,
      upload.client_address,
      upload.source ?? '',
      upload.processed,
      countHours(upload.changed_hours),
      upload.replaced_hours === null ? '' : countHours(upload.replaced_hours),
    ]);
    const json = uploads.map(({ changed_hours, replaced_hours, ...upload }) => ({
      ...upload,
      changed_hours: listHours(changed_hours),
      replaced_hours: replaced_hours === null ? null : listHours(replaced_hours),
    }));
    return { text: formatTable(HEAD, rows), json };
  }
}

function asWords(values: Values): string {
  if (values === null) return 'nothing';
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
