import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { ExpiredRowsRepository } from './expired-rows.repository.js';

/** Has expired tokens, counters and known addresses deleted. */
@Injectable()
export class ExpiredRowsService {
  constructor(housekeeping: Housekeeping, rows: ExpiredRowsRepository, config: AppConfig) {
    housekeeping.add(() => rows.deleteTokens());
    housekeeping.add(() => rows.deleteFailures());
    housekeeping.add(() => rows.deleteAddresses(config.LOGIN_KNOWN_ADDRESS_DAYS));
  }
}
