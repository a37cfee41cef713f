import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { UsageError } from '../../admin/admin.errors.js';
import type { CommandResult } from '../../admin/command-result.js';
import { writeWhole } from '../../admin/output-file.js';
import { ProgressBar } from '../../admin/progress-bar.js';
import { day, wholeNumber } from '../../admin/values.js';
import { ExportService } from './export.service.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
  readonly format?: 'csv' | 'ndjson';
  readonly output?: string;
  readonly json?: boolean;
}

@Injectable()
export class ExportCommands {
  constructor(private readonly sales: ExportService) {}

  @AdminCommand({
    name: 'sales export',
    description: 'Export the stored hourly figures, by restaurant, date and hour',
    readOnly: true,
    options: [
      { syntax: '--from <date>', description: 'the first day, YYYY-MM-DD', required: true, parse: day },
      { syntax: '--to <date>', description: 'the last day, YYYY-MM-DD', required: true, parse: day },
      { syntax: '--restaurant <id>', description: 'only this restaurant', parse: wholeNumber },
      {
        syntax: '--format <format>',
        description: 'csv with a header line (default), or ndjson: one object per line',
        choices: ['csv', 'ndjson'],
      },
      { syntax: '--output <file>', description: 'the file to write, all or nothing (default: standard output)' },
    ],
  })
  async export({ from, to, restaurant, format = 'csv', output, json = false }: Options): Promise<CommandResult> {
    if (json && output === undefined) throw new UsageError('--json needs --output: use --format ndjson to print JSON');
    const range = { from, to, restaurantId: restaurant ?? null };
    const showsBar = ProgressBar.isSeen() && (output !== undefined || !process.stdout.isTTY);
    const bar = showsBar ? new ProgressBar(await this.sales.countHours(range), 'hours') : undefined;
    let exported = 0;
    const pieces = await this.sales.export(range, format, (hours) => {
      exported = hours;
      bar?.update(hours);
    });
    if (output === undefined) return { text: endingWith(pieces, bar), json: null };
    await writeWhole(output, endingWith(pieces, bar));
    return { text: `${exported} hours exported to ${output}`, json: { hours: exported, output } };
  }
}

async function* endingWith(pieces: AsyncIterable<Buffer>, bar: ProgressBar | undefined): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } finally {
    bar?.end();
  }
}
