import { CreateRestaurants1763700000000 } from './1763700000000-create-restaurants.js';
import { CreateUsers1763700001000 } from './1763700001000-create-users.js';
import { CreateTokens1763700002000 } from './1763700002000-create-tokens.js';
import { CreateSales1763700003000 } from './1763700003000-create-sales.js';
import { CreateLoginFailures1763700010000 } from './1763700010000-create-login-failures.js';
import { CreateAudit1763700011000 } from './1763700011000-create-audit.js';
import { CreateSalesHistory1763700020000 } from './1763700020000-create-sales-history.js';
import { LightenUploads1763700030000 } from './1763700030000-lighten-uploads.js';
import { ForgetAddresses1763700040000 } from './1763700040000-forget-addresses.js';
import { CreateUserMachines1763700050000 } from './1763700050000-create-user-machines.js';
import { RetireRows1763700070000 } from './1763700070000-retire-rows.js';
import { AlignTables1763700080000 } from './1763700080000-align-tables.js';
import { CountStandbys1763700090000 } from './1763700090000-count-standbys.js';

/** Every migration, oldest first. */
export const migrations = [
  CreateRestaurants1763700000000,
  CreateUsers1763700001000,
  CreateTokens1763700002000,
  CreateSales1763700003000,
  CreateLoginFailures1763700010000,
  CreateAudit1763700011000,
  CreateSalesHistory1763700020000,
  LightenUploads1763700030000,
  ForgetAddresses1763700040000,
  CreateUserMachines1763700050000,
  RetireRows1763700070000,
  AlignTables1763700080000,
  CountStandbys1763700090000,
  // a new migration goes here
];
