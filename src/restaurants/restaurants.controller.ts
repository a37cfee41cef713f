import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../auth/tokens/current-user.decorator.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { ServerConfig } from '../config/server.config.js';
import { ReadTurns } from '../database/read-turns.js';
import { ApiResponses } from '../http/openapi/openapi.decorator.js';
import { MAX_INTEGER } from '../http/validation/fields.decorator.js';
import { UsersService } from '../users/users.service.js';
import { RestaurantsQueryDto, RestaurantsResponse } from './restaurants.dto.js';
import { describeRestaurant, RestaurantsService } from './restaurants.service.js';

@UseInterceptors(ReadTurns)
@ApiTags('Restaurants')
@Controller({ path: 'restaurants', version: '1' })
export class RestaurantsController {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
    private readonly calendar: BusinessCalendar,
    private readonly config: ServerConfig,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the restaurants that the caller may upload for, by id' })
  @ApiResponses(RestaurantsResponse, 401, 403)
  async listRestaurants(
    @CurrentUser() { userId }: Principal,
    @Query() { search, limit = MAX_INTEGER, after }: RestaurantsQueryDto,
  ): Promise<RestaurantsResponse> {
    const { username, allRestaurants } = await this.users.getById(userId);
    const { count, items, next } = await this.restaurants.findVisible(userId, search, {
      limit,
      after,
    });
    const today = this.calendar.today();
    return {
      username,
      all_restaurants: allRestaurants,
      time_zone: this.calendar.timeZone,
      currency: this.config.CURRENCY,
      today,
      count,
      restaurants: items.map((restaurant) => describeRestaurant(restaurant, today)),
      next,
    };
  }
}
