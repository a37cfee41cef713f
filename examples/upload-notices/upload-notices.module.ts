import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UploadNotice } from './upload-notice.entity.js';
import { UploadNoticesRepository } from './upload-notices.repository.js';
import { UploadNoticesService } from './upload-notices.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([UploadNotice])],
  providers: [UploadNoticesService, UploadNoticesRepository],
})
export class UploadNoticesModule {}
