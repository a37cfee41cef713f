import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { Table, type CommandResult } from '../../admin/command-result.js';
import { ProgressBar } from '../../admin/progress-bar.js';
import { day } from '../../admin/values.js';
import { BusinessCalendar } from '../../config/business-calendar.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { ReportsService, type MissingDay } from './reports.service.js';

/** `sales missing` found a day of which hours are missing: neither 1, which is a failure, nor 2, which is wrong usage. */
const EXIT_MISSING = 3;

/** What was handed in and what was not, on the administrator's command line. */
@Injectable()
export class SalesCommands {
  constructor(
    private readonly reports: ReportsService,
    private readonly ledger: LedgerService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @AdminCommand({
    name: 'sales missing',
    description: `List the restaurants of which hours are missing on a day; exit status ${EXIT_MISSING} where there are any`,
    readOnly: true,
    options: [
      {
        syntax: '--date <date>',
        description: 'YYYY-MM-DD, today or yesterday (in TIME_ZONE); yesterday without it',
        parse: (text) => (text === 'today' || text === 'yesterday' ? text : day(text)),
      },
    ],
  })
  async missing({ date: asked = 'yesterday' }: { date?: string }): Promise<CommandResult> {
    const date = asked === 'today' || asked === 'yesterday' ? this.calendar[asked]() : asked;
    const missing = await this.reports.findAllMissing(date);
    const json = { date, missing };
    if (missing.length === 0) return { text: `nothing is missing on ${date}`, json };
    return { text: tableOf(missing), json, exitStatus: EXIT_MISSING };
  }

  @AdminCommand({
    name: 'sales verify',
    description: 'Prove that all figures are what the ledger of uploads says; exit status 1 where they are not',
    readOnly: true,
  })
  async verify(): Promise<CommandResult> {
    const bar = ProgressBar.isSeen() ? new ProgressBar(await this.ledger.countDays(), 'days') : undefined;
    const verification = await this.ledger.verify((days) => bar?.update(days)).finally(() => bar?.end());
    const { days, differences, told } = verification;
    const lines = told.map(({ restaurant_id, date, hour, stands, ledger }) => {
      const place = `restaurant ${restaurant_id}, ${date}${hour === null ? '' : `, hour ${hour}`}`;
      return `${place}: stands ${stands ?? 'nothing'}; the ledger says ${ledger ?? 'nothing'}`;
    });
    const summary = `${days} days compared with the ledger: ${differences} differences`;
    const text = [...lines, ...(differences > told.length ? ['...'] : []), summary].join('\n');
    return { text, json: verification, exitStatus: differences === 0 ? 0 : 1 };
  }
}

function tableOf(missing: readonly MissingDay[]): Table {
  const rows = missing.map(({ restaurant_id, name, date, status, missing_hours }) => {
    return [restaurant_id, name, date, status, status === 'missing' ? 'all' : missing_hours.join(' ')];
  });
  return new Table(['ID', 'NAME', 'DATE', 'STATUS', 'MISSING HOURS'], rows);
}
