import { Module } from '@nestjs/common';
import { RestaurantsModule } from '../restaurants/restaurants.module.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';
import { SalesController } from './sales.controller.js';
import { SalesService } from './sales.service.js';
import { UploadsRepository } from './uploads.repository.js';

@Module({
  imports: [RestaurantsModule],
  controllers: [SalesController, ReportsController],
  providers: [SalesService, UploadsRepository, ReportsService, ReportsRepository],
})
export class SalesModule {}
