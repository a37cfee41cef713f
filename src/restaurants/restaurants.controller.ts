import { Controller, Get } from '@nestjs/common';
import { CurrentUser } from '../auth/current-user.decorator.js';
import { Answers, Summary } from '../http/openapi/openapi.decorator.js';
import { RestaurantsResponse } from './dto/responses.dto.js';
import { RestaurantsService } from './restaurants.service.js';

/** The restaurants, as who uploads for them sees them. */
@Controller('api/v1/restaurants')
export class RestaurantsController {
  constructor(private readonly restaurants: RestaurantsService) {}

  @Get()
  @Summary('The restaurants that the caller may upload for, by number')
  @Answers(RestaurantsResponse, 401)
  async list(@CurrentUser() { userId }: { readonly userId: number }): Promise<RestaurantsResponse> {
    return { restaurants: await this.restaurants.listGranted(userId) };
  }
}
