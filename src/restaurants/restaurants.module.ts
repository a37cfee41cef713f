import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { RestaurantGrant } from './restaurant-grant.entity.js';
import { Restaurant } from './restaurant.entity.js';
import { RestaurantsCommands } from './restaurants.commands.js';
import { RestaurantsRepository } from './restaurants.repository.js';
import { RestaurantsService } from './restaurants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Restaurant, RestaurantGrant]), UsersModule],
  providers: [RestaurantsService, RestaurantsRepository, RestaurantsCommands],
  exports: [RestaurantsService],
})
export class RestaurantsModule {}
