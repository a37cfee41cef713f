import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../src/audit/audit.module.js';
import { RestaurantsModule } from '../../src/restaurants/restaurants.module.js';
import { UsersModule } from '../../src/users/users.module.js';
import { CashCount } from './cash-count.entity.js';
import { CashCountAuditor } from './cash-count-auditor.entity.js';
import { CashCountAuditorsService } from './cash-count-auditors.service.js';
import { CashCountFilesController } from './cash-count-files.controller.js';
import { CashCountLine } from './cash-count-line.entity.js';
import { CashCountReaderService } from './cash-count-reader.service.js';
import { CashCountRulesService } from './cash-count-rules.service.js';
import { CashCountsCommands } from './cash-counts.commands.js';
import { CashCountsController } from './cash-counts.controller.js';
import { CashCountsListener } from './cash-counts.listener.js';
import { CashCountsRepository } from './cash-counts.repository.js';
import { CashCountsService } from './cash-counts.service.js';
import { CashCountsCleanUpService } from './cash-counts-clean-up.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CashCount, CashCountLine, CashCountAuditor]),
    AuditModule,
    RestaurantsModule,
    UsersModule,
  ],
  controllers: [CashCountsController, CashCountFilesController],
  providers: [
    CashCountsService,
    CashCountRulesService,
    CashCountReaderService,
    CashCountsRepository,
    CashCountAuditorsService,
    CashCountsCommands,
    CashCountsListener,
    CashCountsCleanUpService,
  ],
})
export class CashCountsModule {}
