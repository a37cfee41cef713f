import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../users/users.module.js';
import { GrantsRepository } from './grants/grants.repository.js';
import { GrantsService } from './grants/grants.service.js';
import { UserGrantCommands } from './grants/user-grant.commands.js';
import { Restaurant, RestaurantGrant } from './restaurant.entity.js';
import { RestaurantsCommands } from './restaurants.commands.js';
import { RestaurantsController } from './restaurants.controller.js';
import { RestaurantsRepository } from './restaurants.repository.js';
import { RestaurantsService } from './restaurants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Restaurant, RestaurantGrant]), AuditModule, UsersModule],
  controllers: [RestaurantsController],
  providers: [
    RestaurantsService,
    RestaurantsRepository,
    RestaurantsCommands,
    GrantsService,
    GrantsRepository,
    UserGrantCommands,
  ],
  exports: [RestaurantsService, GrantsService],
})
export class RestaurantsModule {}
