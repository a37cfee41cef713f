import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { LedgerService, type Values } from './ledger.service.js';

@Injectable()
export class LedgerCommands {
  constructor(private readonly ledger: LedgerService) {}

  @AdminCommand({
    name: 'sales verify',
    description:
      'Compare all stored figures with the ledger of uploads; exit status 1 if they differ',
    readOnly: true,
  })
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
}

function asWords(values: Values): string {
  if (values === null) return 'nothing';
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
