import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RestaurantsModule } from '../../src/restaurants/restaurants.module.js';
import { UsersModule } from '../../src/users/users.module.js';
import { SalesTarget } from './sales-target.entity.js';
import { SalesTargetsController } from './sales-targets.controller.js';
import { SalesTargetsService } from './sales-targets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SalesTarget]), RestaurantsModule, UsersModule],
  controllers: [SalesTargetsController],
  providers: [SalesTargetsService],
})
export class SalesTargetsModule {}
