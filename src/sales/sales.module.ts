import { Module } from '@nestjs/common';
import { BusinessCalendar } from './business-calendar.js';
import { SalesController } from './sales.controller.js';
import { SalesService } from './sales.service.js';
import { UploadsRepository } from './uploads.repository.js';

@Module({
  controllers: [SalesController],
  providers: [SalesService, UploadsRepository, BusinessCalendar],
})
export class SalesModule {}
