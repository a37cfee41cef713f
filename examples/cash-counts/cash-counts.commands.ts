import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand, type Change } from '../../src/admin/admin-command.decorator.js';
import type { CommandResult } from '../../src/admin/command-result.js';
import { day, wholeNumber } from '../../src/admin/values.js';
import { UserCommand } from '../../src/users/user-command.decorator.js';
import { CashCountAuditorsService } from './cash-count-auditors.service.js';
import { CashCountReaderService } from './cash-count-reader.service.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
}

/** Commands for the cash counts. */
@Injectable()
export class CashCountsCommands {
  constructor(
    private readonly reader: CashCountReaderService,
    private readonly auditors: CashCountAuditorsService,
  ) {}

  @UserCommand('cash-count auditor', 'Let a user export the cash counts of all restaurants', {
    options: [new Option('--remove', 'no longer')],
  })
  async setAuditor(
    username: string,
    { remove = false, transaction }: Change<{ readonly remove?: boolean }>,
  ): Promise<CommandResult> {
    await this.auditors.set(username, !remove, transaction);
    const text = `user "${username}" is ${remove ? 'no longer' : 'now'} an auditor`;
    return { text, json: { username, auditor: !remove } };
  }

  @AdminCommand('cash-count export', 'Print the lines of all cash counts of some days as CSV', {
    readOnly: true,
    options: [
      new Option('--from <date>', 'the first day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--to <date>', 'the last day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--restaurant <id>', 'only this restaurant').argParser(wholeNumber),
    ],
  })
  async exportCsv({ from, to, restaurant }: Options): Promise<CommandResult> {
    return { text: await this.reader.exportCsv({ from, to }, restaurant), json: null };
  }
}
