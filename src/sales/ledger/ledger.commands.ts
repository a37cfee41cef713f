import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { day, limit, wholeNumber } from '../../admin/values.js';
import {
  LedgerService,
  type ListedUpload,
  type UploadFilter,
  type Values,
} from './ledger.service.js';

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
    const json = await this.ledger.list(filter);
    // The id, which comes first, has the restaurant and the date.
    const rows = json.map((upload) => Object.values(upload).slice(1).map(cellOf));
    return { text: formatTable(HEAD, rows), json };
  }
}

/** Shows how many hours there are, and nothing for null. */
function cellOf(value: ListedUpload[string]): string | number | Date {
  if (value === null) return '';
  return typeof value === 'object' && 'length' in value ? value.length : value;
}

function asWords(values: Values): string {
  if (values === null) return 'nothing';
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
