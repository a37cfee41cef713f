import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { UsageError } from '../../admin/admin.errors.js';
import type { CommandResult } from '../../admin/command-result.js';
import { writeWhole } from '../../admin/output-file.js';
import { day, wholeNumber } from '../../admin/values.js';
import { ExportService } from './export.service.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
  readonly output?: string;
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
      new Option('--output <file>', 'the file to write, all or nothing (default: standard output)'),
    ],
  })
  async export({ from, to, restaurant, output, json = false }: Options): Promise<CommandResult> {
    if (json && output === undefined) throw new UsageError('--json needs --output');
    const csv = await this.sales.export({ from, to, restaurantId: restaurant ?? null });
    if (output === undefined) return { text: csv, json: null };
    const counted = { lines: 0 };
    await writeWhole(output, countLines(csv, counted));
    const hours = counted.lines - 1; // the first line is the header
    return { text: `${hours} hours exported to ${output}`, json: { hours, output } };
  }
}

async function* countLines(csv: AsyncIterable<Buffer>, counted: { lines: number }) {
  for await (const piece of csv) {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) counted.lines++;
    yield piece;
  }
}
