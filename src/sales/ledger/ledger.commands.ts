import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { ProgressBar } from '../../admin/progress-bar.js';
import { LedgerService, type Verification } from './ledger.service.js';

@Injectable()
export class LedgerCommands {
  constructor(private readonly ledger: LedgerService) {}

  @AdminCommand({
    name: 'sales verify',
    description: 'Compare all stored figures with the ledger of uploads; exit status 1 if they differ',
    readOnly: true,
  })
  async verify(): Promise<CommandResult> {
    const bar = ProgressBar.isSeen() ? new ProgressBar(await this.ledger.countDays(), 'days') : undefined;
    const verification = await this.ledger.verify((days) => bar?.update(days)).finally(() => bar?.end());
    const { days, archivedMonths, differences, reported } = verification;
    const without = archivedMonths > 0 ? ` (${archivedMonths} archived months are left out)` : '';
    const summary = `${days} days compared with the ledger${without}: ${differences} differences`;
    const more = differences > reported.length ? ['...'] : [];
    return {
      text: [...reported.map(asLine), ...more, summary].join('\n'),
      json: verification,
      exitStatus: differences === 0 ? 0 : 1,
    };
  }

  @AdminCommand({
    name: 'sales repair',
    description: 'Write hours that differ from the ledger of uploads back from it; without --write, only count them',
    options: [{ syntax: '--write', description: 'change the figures; each changed day is recorded' }],
  })
  async repair({ write = false }: { write?: boolean }): Promise<CommandResult> {
    const repair = await this.ledger.repair(!write);
    const { days, hours, left } = repair;
    const what = `${hours} hours of ${days} days ${write ? 'written back from the ledger' : 'differ: give --write to write them back'}`;
    const rest = left > 0 ? [`${left} differences were left, as the ledger lacks their uploads`] : [];
    return { text: [what, ...rest].join('\n'), json: { ...repair, written: write } };
  }
}

function asLine({ restaurant_id, date, hour, stored, ledger }: Verification['reported'][number]): string {
  const where = `restaurant ${restaurant_id}, ${date}${hour === null ? '' : `, hour ${hour}`}`;
  return `${where}: stored ${stored ?? 'nothing'}; the ledger says ${ledger ?? 'nothing'}`;
}
