import { Controller, Get } from '@nestjs/common';
import { CurrentUser, type Principal } from '../auth/tokens/current-user.decorator.js';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponses } from '../http/openapi/openapi.decorator.js';
import { QueuedRead } from '../database/queued-read.decorator.js';
import { RestaurantsResponse } from './dto/responses.dto.js';
import { RestaurantsService } from './restaurants.service.js';

@QueuedRead()
@ApiTags('Restaurants')
@Controller({ path: 'restaurants', version: '1' })
export class RestaurantsController {
  constructor(private readonly restaurants: RestaurantsService) {}

  @Get()
  @ApiOperation({ summary: 'List the restaurants that the caller may upload for, by id' })
  @ApiResponses(RestaurantsResponse, 401)
  async listRestaurants(@CurrentUser() { userId }: Principal): Promise<RestaurantsResponse> {
    const granted = await this.restaurants.listVisible(userId);
    return { restaurants: granted.map(({ id, name }) => ({ restaurant_id: id, name })) };
  }
}
