import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RestaurantsModule } from '../../src/restaurants/restaurants.module.js';
import { Target } from './target.entity.js';
import { TargetsController } from './targets.controller.js';
import { TargetsService } from './targets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Target]), RestaurantsModule],
  controllers: [TargetsController],
  providers: [TargetsService],
})
export class TargetsModule {}
