import { Module } from '@nestjs/common';
import { RestaurantsModule } from '../../restaurants/restaurants.module.js';
import { ExportCommands } from './export.commands.js';
import { ExportService } from './export.service.js';

@Module({
  imports: [RestaurantsModule],
  providers: [ExportService, ExportCommands],
})
export class ExportModule {}
