import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../../src/admin/admin-command.decorator.js';
import type { CommandResult } from '../../src/admin/command-result.js';
import { day, wholeNumber } from '../../src/admin/values.js';
import { CashCountReaderService } from './cash-count-reader.service.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
}

/** Commands for the cash counts. */
@Injectable()
export class CashCountsCommands {
  constructor(private readonly reader: CashCountReaderService) {}

  @AdminCommand({
    name: 'cash-count export',
    description: 'Print the lines of all cash counts of some days as CSV',
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
