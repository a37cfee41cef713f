import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../src/admin/admin-command.decorator.js';
import type { CommandResult } from '../../src/admin/command-result.js';
import { CashCountsService } from './cash-counts.service.js';

/** Commands for the cash counts. */
@Injectable()
export class CashCountsCommands {
  constructor(private readonly counts: CashCountsService) {}

  @AdminCommand({
    name: 'cash-count export',
    description: 'Print every line of every cash count as CSV',
    readOnly: true,
  })
  exportCsv(): Promise<CommandResult> {
    return Promise.resolve({ text: this.counts.exportCsv(), json: null });
  }
}
