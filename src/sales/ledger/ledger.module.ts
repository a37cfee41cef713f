import { Module } from '@nestjs/common';
import { LedgerCommands } from './ledger.commands.js';
import { LedgerService } from './ledger.service.js';

@Module({ providers: [LedgerService, LedgerCommands] })
export class LedgerModule {}
