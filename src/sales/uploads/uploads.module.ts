import { Module } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { createUploadsRepository } from './distributed/distributed-uploads.repository.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsRepository } from './uploads.repository.js';
import { UploadsService } from './uploads.service.js';

@Module({
  controllers: [UploadsController],
  providers: [
    UploadsService,
    { provide: UploadsRepository, inject: [Database], useFactory: createUploadsRepository },
  ],
  exports: [UploadsService],
})
export class UploadsModule {}
