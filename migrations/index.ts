import { PrepareDatabase1763700000000 } from './1763700000000-prepare-database.js';
import { CreateAudit1763700001000 } from './1763700001000-create-audit.js';
import { CreateUsers1763700002000 } from './1763700002000-create-users.js';
import { CreateAuth1763700003000 } from './1763700003000-create-auth.js';
import { CreateRestaurants1763700004000 } from './1763700004000-create-restaurants.js';
import { CreateSales1763700005000 } from './1763700005000-create-sales.js';
import { AddScheduleToRestaurants1764200000000 } from './1764200000000-add-schedule-to-restaurants.js';
import { AddTotalsToSalesDays1764210000000 } from './1764210000000-add-totals-to-sales-days.js';
import { AddReplacedHoursToUploads1764210001000 } from './1764210001000-add-replaced-hours-to-uploads.js';
import { AddSourceToUploads1764220000000 } from './1764220000000-add-source-to-uploads.js';
import { CreateFileProfiles1764220001000 } from './1764220001000-create-file-profiles.js';
import { AddImportSourceToUploads1764230000000 } from './1764230000000-add-import-source-to-uploads.js';
import { AddPeople1764300000000 } from './1764300000000-add-people.js';

/** Every migration, oldest first. */
export const migrations = [
  PrepareDatabase1763700000000,
  CreateAudit1763700001000,
  CreateUsers1763700002000,
  CreateAuth1763700003000,
  CreateRestaurants1763700004000,
  CreateSales1763700005000,
  AddScheduleToRestaurants1764200000000,
  AddTotalsToSalesDays1764210000000,
  AddReplacedHoursToUploads1764210001000,
  AddSourceToUploads1764220000000,
  CreateFileProfiles1764220001000,
  AddImportSourceToUploads1764230000000,
  AddPeople1764300000000,
  // a new migration goes here
];
