import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { UserGrantCommands } from './grants/user-grant.commands.js';
import { GrantsRepository } from './grants/grants.repository.js';
import { GrantsService } from './grants/grants.service.js';
import { RestaurantGrant } from './grants/restaurant-grant.entity.js';
import { Restaurant } from './restaurant.entity.js';
import { RestaurantsController } from './restaurants.controller.js';
import { RestaurantsCommands } from './restaurants.commands.js';
import { RestaurantsRepository } from './restaurants.repository.js';
import { RestaurantsService } from './restaurants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Restaurant, RestaurantGrant]), UsersModule],
  controllers: [RestaurantsController],
  providers: [
    RestaurantsService,
    GrantsService,
    RestaurantsRepository,
    GrantsRepository,
    RestaurantsCommands,
    UserGrantCommands,
  ],
  exports: [RestaurantsService],
})
export class RestaurantsModule {}
