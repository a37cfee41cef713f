import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { UsersModule } from '../users/users.module.js';
import { ClosuresCommands } from './closures/closures.commands.js';
import { ClosuresService } from './closures/closures.service.js';
import { GrantsService } from './grants/grants.service.js';
import { UserGrantCommands } from './grants/user-grant.commands.js';
import { UserImportCommands } from './grants/user-import.commands.js';
import { Restaurant, RestaurantClosure, RestaurantGrant } from './restaurant.entity.js';
import { RestaurantsCommands } from './restaurants.commands.js';
import { RestaurantsController } from './restaurants.controller.js';
import { RestaurantsService } from './restaurants.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Restaurant, RestaurantClosure, RestaurantGrant]),
    AuditModule,
    AuthModule,
    UsersModule,
  ],
  controllers: [RestaurantsController],
  providers: [
    RestaurantsService,
    RestaurantsCommands,
    ClosuresService,
    ClosuresCommands,
    GrantsService,
    UserGrantCommands,
    UserImportCommands,
  ],
  exports: [RestaurantsService, ClosuresService, GrantsService],
})
export class RestaurantsModule {}
