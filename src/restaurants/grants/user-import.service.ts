import { Injectable } from '@nestjs/common';
import type { Commit, Say } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { type CsvRow, type CsvTable, quote, readCsv } from '../../admin/csv-table.js';
import { isRejection } from '../../http/errors/service-error.js';
import { isName } from '../../http/validation/fields.decorator.js';
import { assertCanBeWritten, withPasswordsFile } from '../../users/new-passwords.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { InvalidName, UsernameTaken } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import { RestaurantsService } from '../restaurants.service.js';
import { IMPORT_USERS } from './grants.statements.js';

type Row = CsvRow<'username' | 'restaurants' | 'password' | 'kind'>;
type Table = CsvTable<'username' | 'restaurants' | 'password' | 'kind'>;

/** A user to be added; `all` restaurants include future ones. */
export interface ImportedUser {
  readonly username: string;
  readonly restaurants: 'all' | readonly number[];
  readonly password: string;
  /** A till where the file does not say. */
  readonly kind: string;
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
  ) {}

  /** Reads the users of a file, or throws with what is wrong in it. */
  async read(file: string): Promise<ImportedUser[]> {
    const table = await readCsv(file, ['username', 'restaurants'], ['password', 'kind']);
    const taken = new Set((await this.users.list()).map(({ username }) => username));
    const ids = new Set((await this.restaurants.list()).map(({ id }) => id));
    const lines = new Map<string, number>();
    for (const row of table.rows) {
      const { username } = row.cells;
      const earlier = lines.get(username);
      const addFault = (fault: string) => table.addFault(row, 'username', fault);
      if (!isName(username)) addFault(new InvalidName('username').message);
      if (taken.has(username)) addFault(new UsernameTaken(username).message);
      if (earlier !== undefined) addFault(`${quote(username)} stands on line ${earlier} as well`);
      lines.set(username, row.line);
      if (!['', 'till', 'person'].includes(row.cells.kind))
        table.addFault(row, 'kind', 'it must be till or person');
    }
    const users = table.rows.map((row) => ({
      username: row.cells.username,
      restaurants: restaurantsOf(row, ids, table),
      kind: row.cells.kind || 'till',
      password: row.cells.password || this.passwords.generate(),
      hasNewPassword: row.cells.password === '',
    }));
    await this.passwords.forEach(users, async ({ username, password, hasNewPassword }, index) => {
      if (hasNewPassword) return;
      await this.passwords.assertStrong(username, password).catch((error: unknown) => {
        if (!isRejection(error)) throw error;
        table.addFault(table.rows[index]!, 'password', error.message);
      });
    });
    table.assertNoFaults();
    return users;
  }

  /** Adds users, and writes the passwords that were made into a new file; returns the result. */
  async save(
    users: readonly ImportedUser[],
    passwordsFile: string | undefined,
    { commit, say }: { readonly commit: Commit; readonly say: Say },
    describe: (written: string | null) => CommandResult,
  ): Promise<CommandResult> {
    const made = users.filter(({ hasNewPassword }) => hasNewPassword);
    await assertCanBeWritten(made.length, passwordsFile);
    const rows: object[] = [];
    let done = 0;
    // They are hashed before, as PostgreSQL would end a transaction that waits for that.
    await this.passwords.forEach(
      users,
      async ({ username, restaurants, password, kind }, index) => {
        const password_hash = await this.passwords.hash(password);
        const hasAll = restaurants === 'all';
        const restaurant_ids = hasAll ? [] : restaurants;
        rows[index] = { username, password_hash, all_restaurants: hasAll, restaurant_ids, kind };
        say(`passwords hashed: ${++done} of ${users.length}`);
      },
    );
    return withPasswordsFile(made, passwordsFile, () =>
      commit(async (transaction) => {
        await transaction.query(IMPORT_USERS, [JSON.stringify(rows)]);
        return describe(made.length > 0 ? passwordsFile! : null);
      }),
    );
  }
}

function restaurantsOf(row: Row, ids: ReadonlySet<number>, table: Table): 'all' | number[] {
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
