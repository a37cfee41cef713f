import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { UsageError } from '../../admin/admin.errors.js';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { day, wholeNumber } from '../../admin/values.js';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { ReportsService } from './reports.service.js';

/** Exit status if something is missing; 1 is a failure, and 2 wrong usage. */
const EXIT_MISSING = 3;

interface ExportOptions {
  readonly from: string;
  readonly to: string;
  readonly restaurant?: number;
  readonly json?: boolean;
}

@Injectable()
export class ReportsCommands {
  constructor(
    private readonly reports: ReportsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @AdminCommand({
    name: 'sales missing',
    description: `List the restaurants with missing hours on a day; exit status ${EXIT_MISSING} if there are any`,
    readOnly: true,
    options: [
      new Option(
        '--date <date>',
        'YYYY-MM-DD, today or yesterday, in TIME_ZONE (default: yesterday)',
      ).argParser((text) => (text === 'today' || text === 'yesterday' ? text : day(text))),
    ],
  })
  async missing({ date: given = 'yesterday' }: { date?: string }): Promise<CommandResult> {
    const date = given === 'today' || given === 'yesterday' ? this.calendar[given]() : given;
    const missing = await this.reports.findAllMissing(date);
    const json = { date, missing };
    if (missing.length === 0) return { text: `nothing is missing on ${date}`, json };
    const rows = missing.map(({ restaurant_id, name, status, missing_hours }) => {
      const hours = status === 'missing' ? 'all' : missing_hours.join(' ');
      return [restaurant_id, name, date, status, hours];
    });
    const text = formatTable(['ID', 'NAME', 'DATE', 'STATUS', 'MISSING HOURS'], rows);
    return { text, json, exitStatus: EXIT_MISSING };
  }

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
  async export({ json, restaurant, ...range }: ExportOptions): Promise<CommandResult> {
    if (json) throw new UsageError('the export is CSV: leave out --json');
    return { text: await this.reports.export(range, restaurant), json: null };
  }
}
