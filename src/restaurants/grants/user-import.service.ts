import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { InvalidName } from '../../admin/admin.errors.js';
import { type CsvRow, type CsvTable, quote, readCsv } from '../../admin/csv-table.js';
import { isRejection } from '../../http/errors/service-error.js';
import { isName } from '../../http/validation/fields.decorator.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { UserKind } from '../../users/user.entity.js';
import { UsernameTaken } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import { RestaurantsService } from '../restaurants.service.js';
import { GrantsService } from './grants.service.js';

type Column = 'username' | 'restaurants' | 'password' | 'kind';

/** A user to be added; `all` restaurants include future ones. */
export interface ImportedUser {
  readonly username: string;
  readonly restaurants: 'all' | readonly number[];
  readonly password: string;
  readonly kind: UserKind;
  /** Whether the file had no password, so that one was made. */
  readonly hasNewPassword: boolean;
}

/** Adds the users of a CSV file, all or none. */
@Injectable()
export class UserImportService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
    private readonly grants: GrantsService,
  ) {}

  /** Reads the users of a file, or throws with what is wrong in it. */
  async read(file: string): Promise<ImportedUser[]> {
    const table = await readCsv<Column>(file, ['username', 'restaurants'], ['password', 'kind']);
    const taken = new Set((await this.users.list()).map(({ username }) => username));
    const ids = new Set((await this.restaurants.list()).map(({ id }) => id));
    const lines = new Map<string, number>();
    const users: ImportedUser[] = [];
    for (const row of table.rows) {
      const { username, password, kind } = row.cells;
      const earlier = lines.get(username);
      const addFault = (fault: string) => table.addFault(row, 'username', fault);
      if (!isName(username)) addFault(new InvalidName('username').message);
      if (taken.has(username)) addFault(new UsernameTaken(username).message);
      if (earlier !== undefined) addFault(`${quote(username)} stands on line ${earlier} as well`);
      lines.set(username, row.line);
      if (!['', 'till', 'person'].includes(kind))
        table.addFault(row, 'kind', 'it must be till or person');
      const hasNewPassword = password === '';
      if (!hasNewPassword)
        await this.passwords.assertStrong(username, password).catch((error: unknown) => {
          if (!isRejection(error)) throw error;
          table.addFault(row, 'password', error.message);
        });
      users.push({
        username,
        restaurants: restaurantsOf(row, ids, table),
        kind: kind === 'person' ? kind : 'till',
        password: hasNewPassword ? this.passwords.generate() : password,
        hasNewPassword,
      });
    }
    table.assertNoFaults();
    return users;
  }

  async save(users: readonly ImportedUser[], transaction: EntityManager): Promise<void> {
    const hashing = users.map(({ password }) => this.passwords.hash(password));
    const hashes = await Promise.all(hashing); // on all threads, before anything is locked
    for (const [index, { username, password, kind, restaurants }] of users.entries()) {
      const options = { kind, passwordHash: hashes[index]!, manager: transaction };
      await this.users.add(username, password, options);
      const all = restaurants === 'all';
      await this.grants.grant(
        username,
        { all, restaurantIds: all ? [] : restaurants },
        transaction,
      );
    }
  }
}

function restaurantsOf(
  row: CsvRow<Column>,
  ids: ReadonlySet<number>,
  table: CsvTable<Column>,
): 'all' | number[] {
  const words = row.cells.restaurants.split(/\s+/).filter(Boolean);
  if (words.length === 1 && words[0] === 'all') return 'all';
  for (const word of words) {
    if (!/^\d+$/.test(word))
      table.addFault(row, 'restaurants', `${quote(word)} is not the number of a restaurant`);
    else if (!ids.has(Number(word)))
      table.addFault(row, 'restaurants', `there is no restaurant ${word}`);
  }
  return [...new Set(words.map(Number))];
}
