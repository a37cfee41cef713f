import { Injectable } from '@nestjs/common';
import type { SingleBar } from 'cli-progress';
import { Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { UsageError } from '../../admin/admin.errors.js';
import type { CommandResult } from '../../admin/command-result.js';
import { writeWhole } from '../../admin/output-file.js';
import { startProgressBar } from '../../admin/progress-bar.js';
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
    const range = { from, to, restaurantId: restaurant ?? null };
    let exported = 0;
    const pieces = await this.sales.export(range, (hours) => {
      exported = hours;
      bar?.update(hours);
    });
    const showsBar = process.stderr.isTTY && (output !== undefined || !process.stdout.isTTY);
    const total = showsBar ? await this.sales.countHours(range) : 0;
    const bar = showsBar ? startProgressBar(total, 'hours') : undefined;
    if (output === undefined) return { text: endingWith(pieces, bar), json: null };
    await writeWhole(output, endingWith(pieces, bar));
    return { text: `${exported} hours exported to ${output}`, json: { hours: exported, output } };
  }
}

async function* endingWith(
  pieces: AsyncIterable<Buffer>,
  bar: SingleBar | undefined,
): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } finally {
    bar?.stop();
  }
}
