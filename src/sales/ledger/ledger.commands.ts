import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { LedgerService, type Difference } from './ledger.service.js';

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
    const verification = await this.ledger.verify();
    const { days, differences, reported } = verification;
    const summary = `${days} days compared with the ledger: ${differences} differences`;
    const more = differences > reported.length ? ['...'] : [];
    return {
      text: [...reported.map(asLine), ...more, summary].join('\n'),
      json: verification,
      exitStatus: differences === 0 ? 0 : 1,
    };
  }
}

function asLine({ restaurant_id, date, hour, stored, ledger }: Difference): string {
  const where = `restaurant ${restaurant_id}, ${date}${hour === null ? '' : `, hour ${hour}`}`;
  return `${where}: stored ${asWords(stored)}; the ledger says ${asWords(ledger)}`;
}

function asWords(values: Difference['stored']): string {
  if (values === null) return 'nothing';
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
