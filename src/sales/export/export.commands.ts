import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { UsageError } from '../../admin/admin.errors.js';
import type { CommandResult } from '../../admin/command-result.js';
import { writeWhole } from '../../admin/output-file.js';
import { ProgressBar } from '../../admin/progress-bar.js';
import { day, oneOf, wholeNumber } from '../../admin/values.js';
import { ExportService } from './export.service.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
  readonly format?: 'csv' | 'ndjson';
  readonly output?: string;
  readonly json?: boolean;
}

/** The figures for finance and for other programs, on the administrator's command line. */
@Injectable()
export class ExportCommands {
  constructor(private readonly sales: ExportService) {}

  @AdminCommand({
    name: 'sales export',
    description: 'Write the hourly figures as they stand, by restaurant, date and hour',
    readOnly: true,
    options: [
      { syntax: '--from <date>', description: 'the first day, YYYY-MM-DD', required: true, parse: day },
      { syntax: '--to <date>', description: 'the last day, YYYY-MM-DD', required: true, parse: day },
      { syntax: '--restaurant <id>', description: 'of this restaurant only', parse: wholeNumber },
      {
        syntax: '--format <format>',
        description: 'csv (with a head line), or ndjson (an object a line); csv without it',
        parse: oneOf('csv', 'ndjson'),
      },
      { syntax: '--output <file>', description: 'into this file, whole or not at all; standard output without it' },
    ],
  })
  async export({ from, to, restaurant, format = 'csv', output, json = false }: Options): Promise<CommandResult> {
    if (json && output === undefined) throw new UsageError('--json goes with --output only: try --format ndjson');
    const range = { from, to, restaurantId: restaurant ?? null };
    const isBarSeen = ProgressBar.isSeen() && (output !== undefined || !process.stdout.isTTY);
    const bar = isBarSeen ? new ProgressBar(await this.sales.countHours(range), 'hours') : undefined;
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
