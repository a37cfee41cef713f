import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { EXPIRED_FAILURES, EXPIRED_TOKENS, OLD_ADDRESSES } from './expired-rows.statements.js';

/** Has expired tokens, counters and known addresses deleted. */
@Injectable()
export class ExpiredRowsService {
  constructor(housekeeping: Housekeeping, { LOGIN_KNOWN_ADDRESS_DAYS }: AppConfig) {
    housekeeping.add(EXPIRED_TOKENS);
    housekeeping.add(EXPIRED_FAILURES);
    housekeeping.add(OLD_ADDRESSES, () => [LOGIN_KNOWN_ADDRESS_DAYS]);
  }
}
