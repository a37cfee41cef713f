import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ImportCommands } from './import.commands.js';
import { ImportService } from './import.service.js';

@Module({ imports: [UploadsModule, UsersModule], providers: [ImportService, ImportCommands] })
export class ImportModule {}
