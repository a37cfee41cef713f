import { Injectable } from '@nestjs/common';
import { Argument } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { wholeNumber } from '../../admin/values.js';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { formatHours, formatWeek } from '../../calendar/hour-set.js';
import { daysOf, statusOn } from '../../calendar/schedule-texts.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { UsersService } from '../../users/users.service.js';
import { ReportsService } from './reports.service.js';

/** Shows a restaurant with what was sent, which the feature of restaurants does not know. */
@Injectable()
export class ShowRestaurantCommands {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
    private readonly reports: ReportsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @AdminCommand({
    name: 'restaurant show',
    description: 'Show what is known of a restaurant: when it should send, and who may upload',
    readOnly: true,
    arguments: [new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber)],
  })
  async show(id: number): Promise<CommandResult> {
    const restaurant = await this.restaurants.get(id);
    const { name, firstDay, weeklyHours, closures, createdAt } = restaurant;
    const lastSent = (await this.reports.findLastSent([restaurant])).get(id) ?? null;
    const uploaders = await this.listUploaders(id);
    const today = statusOn(restaurant, this.calendar.today());
    const rows = [
      ['NAME', name],
      ['TODAY', today],
      ['FIRST DAY', firstDay],
      ['HOURS', formatWeek(weeklyHours)],
      ...listRows('CLOSED', closures.map(daysOf)),
      ['LAST SENT', lastSent ?? 'nothing yet'],
      ...listRows(
        'UPLOADERS',
        uploaders.map(({ username, status }) =>
          status === 'enabled' ? username : `${username} (${status})`,
        ),
      ),
      ['ADDED', createdAt],
    ];
    const json = {
      ...{ restaurant_id: id, name, today, first_day: firstDay },
      weekly_hours: weeklyHours.map(formatHours),
      closures: closures.map((closure) => ({
        first_day: closure.firstDay,
        last_day: closure.lastDay,
        reason: closure.reason,
      })),
      ...{ last_sent: lastSent, uploaders, created_at: createdAt },
    };
    return { text: formatTable(['RESTAURANT', String(id)], rows), json };
  }

  private async listUploaders(id: number) {
    return (await this.users.listWithRestaurants())
      .filter((user) => user.all_restaurants || user.restaurant_ids.includes(id))
      .map(({ username, status }) => ({ username, status }));
  }
}

/** Names a list before its first item, or says that it is empty. */
function listRows(name: string, items: readonly string[]): string[][] {
  if (items.length === 0) return [[name, 'none']];
  return items.map((item, index) => [index === 0 ? name : '', item]);
}
