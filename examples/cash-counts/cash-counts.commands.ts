import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../../src/admin/admin-command.decorator.js';
import type { CommandResult } from '../../src/admin/command-result.js';
import { day } from '../../src/admin/values.js';
import { CashCountReportsService } from './cash-count-reports.service.js';

/** Commands for the cash counts. */
@Injectable()
export class CashCountsCommands {
  constructor(private readonly reports: CashCountReportsService) {}

  @AdminCommand({
    name: 'cash-count export',
    description: 'Print the lines of all cash counts of some days as CSV',
    readOnly: true,
    options: [
      new Option('--from <date>', 'the first day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--to <date>', 'the last day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
    ],
  })
  exportCsv(days: { readonly from: string; readonly to: string }): CommandResult {
    return { text: this.reports.exportCsv(days), json: null };
  }
}
