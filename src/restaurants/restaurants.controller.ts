import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../auth/tokens/current-user.decorator.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { formatHours } from '../calendar/hour-set.js';
import { QueuedRead } from '../database/queued-read.decorator.js';
import { ApiResponses } from '../http/openapi/openapi.decorator.js';
import { UsersService } from '../users/users.service.js';
import { RestaurantsResponse, type GrantedRestaurant } from './dto/responses.dto.js';
import type { Restaurant } from './restaurant.entity.js';
import { RestaurantsService } from './restaurants.service.js';

@QueuedRead()
@ApiTags('Restaurants')
@Controller({ path: 'restaurants', version: '1' })
export class RestaurantsController {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the restaurants that the caller may upload for, by id' })
  @ApiResponses(RestaurantsResponse, 401)
  async listRestaurants(@CurrentUser() { userId }: Principal): Promise<RestaurantsResponse> {
    const { username, allRestaurants } = await this.users.getById(userId);
    const granted = await this.restaurants.listVisible(userId);
    const today = this.calendar.today();
    return {
      username,
      all_restaurants: allRestaurants,
      time_zone: this.calendar.timeZone,
      today,
      restaurants: granted.map((restaurant) => describe(restaurant, today)),
    };
  }
}

function describe(restaurant: Restaurant, today: string): GrantedRestaurant {
  const { id, name, firstDay, weeklyHours, closures } = restaurant;
  const ahead = closures.filter(({ lastDay }) => lastDay === null || lastDay >= today);
  return {
    restaurant_id: id,
    name,
    first_day: firstDay,
    weekly_hours: weeklyHours.map(formatHours),
    closures: ahead.map((closure) => ({
      first_day: closure.firstDay,
      last_day: closure.lastDay,
      reason: closure.reason,
    })),
  };
}
