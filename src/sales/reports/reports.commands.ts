import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { UsageError } from '../../admin/admin.errors.js';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { day, wholeNumber } from '../../admin/values.js';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { daysOf } from '../../calendar/expected-hours.js';
import { formatWeek } from '../../calendar/hour-set.js';
import { GrantsService } from '../../restaurants/grants/grants.service.js';
import { RestaurantCommand } from '../../restaurants/restaurant-command.decorator.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { ExportsService } from './exports.service.js';
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
    private readonly exports: ExportsService,
    private readonly calendar: BusinessCalendar,
    private readonly restaurants: RestaurantsService,
    private readonly grants: GrantsService,
  ) {}

  @AdminCommand(
    'sales missing',
    `List missing hours of a day; exit status ${EXIT_MISSING} if any`,
    {
      readOnly: true,
      options: [
        new Option(
          '--date <date>',
          'YYYY-MM-DD, today or yesterday, in TIME_ZONE (default: yesterday)',
        ).argParser((text) => (text === 'today' || text === 'yesterday' ? text : day(text))),
      ],
    },
  )
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

  @AdminCommand('sales export', 'Export every hour that was sent or expected as CSV', {
    readOnly: true,
    options: [
      new Option('--from <date>', 'the first day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--to <date>', 'the last day, YYYY-MM-DD').argParser(day).makeOptionMandatory(),
      new Option('--restaurant <id>', 'only this restaurant').argParser(wholeNumber),
    ],
  })
  async export({ json, restaurant, ...range }: ExportOptions): Promise<CommandResult> {
    if (json) throw new UsageError('the export is CSV: leave out --json');
    return { text: await this.exports.exportAll(range, restaurant), json: null };
  }

  @RestaurantCommand('restaurant show', 'Show when a restaurant should send, and who uploads', {
    readOnly: true,
  })
  async show(id: number): Promise<CommandResult> {
    const restaurant = await this.restaurants.get(id);
    const shown = this.restaurants.describe(restaurant);
    const lastSent = (await this.reports.findLastSent([restaurant])).get(id) ?? null;
    const uploaders = await this.listUploaders(id);
    const rows = [
      ['NAME', shown.name],
      ['TODAY', shown.today],
      ['FIRST DAY', shown.first_day],
      ['HOURS', formatWeek(restaurant.weeklyHours)],
      ...listRows('CLOSED', restaurant.closures.map(daysOf)),
      ['LAST SENT', lastSent ?? 'nothing yet'],
      ...listRows('UPLOADERS', uploaders.map(nameOf)),
      ['ADDED', shown.created_at],
    ];
    const json = Object.assign(shown, { last_sent: lastSent, uploaders });
    return { text: formatTable(['RESTAURANT', String(id)], rows), json };
  }

  private async listUploaders(id: number) {
    return (await this.grants.list())
      .filter(({ user, restaurantIds }) => user.allRestaurants || restaurantIds.includes(id))
      .map(({ user: { username, disabledAt } }) => {
        return { username, status: disabledAt === null ? 'enabled' : 'disabled' };
      });
  }
}

function nameOf({ username, status }: { username: string; status: string }): string {
  return status === 'enabled' ? username : `${username} (${status})`;
}

/** Names a list before its first item, or says that it is empty. */
function listRows(name: string, items: readonly string[]): string[][] {
  if (items.length === 0) return [[name, 'none']];
  return items.map((item, index) => [index === 0 ? name : '', item]);
}
