import { Controller, Get } from '@nestjs/common';
import { CurrentUser, type Principal } from '../auth/current-user.decorator.js';
import { ApiOperation, ApiResponses, ApiTags } from '../http/openapi/openapi.decorator.js';
import { RestaurantsResponse } from './dto/responses.dto.js';
import { GrantsService } from './grants/grants.service.js';

@ApiTags('Restaurants')
@Controller('api/v1/restaurants')
export class RestaurantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @ApiOperation({
    summary: 'List the restaurants of the caller',
    description: 'Those that the caller may upload for, by id.',
  })
  @ApiResponses(RestaurantsResponse, 401)
  async listRestaurants(@CurrentUser() { userId }: Principal): Promise<RestaurantsResponse> {
    const granted = await this.grants.listGranted(userId);
    return { restaurants: granted.map(({ id, name }) => ({ restaurant_id: id, name })) };
  }
}
