import { Module } from '@nestjs/common';
import { SalesController } from './sales.controller.js';
import { SalesService } from './sales.service.js';
import { UploadsRepository } from './uploads.repository.js';

@Module({
  controllers: [SalesController],
  providers: [SalesService, UploadsRepository],
})
export class SalesModule {}
