import { CreateRestaurants1763700000000 } from './1763700000000-create-restaurants.js';
import { CreateUsers1763700001000 } from './1763700001000-create-users.js';
import { CreateTokens1763700002000 } from './1763700002000-create-tokens.js';
import { CreateSales1763700003000 } from './1763700003000-create-sales.js';

/** Every migration, oldest first. */
export const migrations = [
  CreateRestaurants1763700000000,
  CreateUsers1763700001000,
  CreateTokens1763700002000,
  CreateSales1763700003000,
];
