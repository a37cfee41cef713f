import { Module } from '@nestjs/common';
import { RestaurantsModule } from '../../restaurants/restaurants.module.js';
import { MissingUploadsGauge } from './missing-uploads.gauge.js';
import { ReportsCommands } from './reports.commands.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';

@Module({
  imports: [RestaurantsModule],
  controllers: [ReportsController],
  providers: [ReportsService, ReportsCommands, MissingUploadsGauge],
  exports: [ReportsService],
})
export class ReportsModule {}
