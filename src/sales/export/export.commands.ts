import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { UsageError } from '../../admin/admin.errors.js';
import type { CommandResult } from '../../admin/command-result.js';
import { day, wholeNumber } from '../../admin/values.js';
import { ExportService } from './export.service.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
  readonly json?: boolean;
}

@Injectable()
export class ExportCommands {
  constructor(private readonly sales: ExportService) {}

  @AdminCommand({
    name: 'sales export',
    description:
      'Export the stored hourly figures as CSV with a header line, by restaurant, date and hour',
    readOnly: true,
    options: [
      new Option('--from <date>', 'the first day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--to <date>', 'the last day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--restaurant <id>', 'only this restaurant').argParser(wholeNumber),
    ],
  })
  async export({ from, to, restaurant, json }: Options): Promise<CommandResult> {
    if (json) throw new UsageError('the export is CSV: leave out --json');
    const csv = await this.sales.export({ from, to, restaurantId: restaurant ?? null });
    return { text: csv, json: null };
  }
}
