import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { GrantsService } from './grants/grants.service.js';
import { UserGrantCommands } from './grants/user-grant.commands.js';
import { Restaurant, RestaurantGrant } from './restaurant.entity.js';
import { RestaurantsCommands } from './restaurants.commands.js';
import { RestaurantsController } from './restaurants.controller.js';
import { RestaurantsService } from './restaurants.service.js';
import { VisibleRestaurantsRepository } from './visible-restaurants.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Restaurant, RestaurantGrant]), UsersModule],
  controllers: [RestaurantsController],
  providers: [
    RestaurantsService,
    VisibleRestaurantsRepository,
    RestaurantsCommands,
    GrantsService,
    UserGrantCommands,
  ],
  exports: [RestaurantsService, GrantsService],
})
export class RestaurantsModule {}
