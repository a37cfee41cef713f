import { Injectable } from '@nestjs/common';
import { type CsvRow, type CsvTable, quote, readCsv } from '../../admin/csv-table.js';
import { AuditService } from '../../audit/audit.service.js';
import { administrator } from '../../config/administrator.js';
import { Database } from '../../database/database.js';
import { isRejection } from '../../http/errors/service-error.js';
import { isName } from '../../http/validation/fields.decorator.js';
import { assertCanBeWritten, withPasswordsFile } from '../../users/new-passwords.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { InvalidName, UsernameTaken } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import { RestaurantsService } from '../restaurants.service.js';
import { IMPORT_USERS } from './grants.statements.js';

type Row = CsvRow<'username' | 'restaurants' | 'password'>;
type Table = CsvTable<'username' | 'restaurants' | 'password'>;

/** A user to be added; `all` restaurants include future ones. */
export interface ImportedUser {
  readonly username: string;
  readonly restaurants: 'all' | readonly number[];
  readonly password: string;
  /** Whether the file had no password, so that one was made. */
  readonly hasNewPassword: boolean;
}

interface ImportOptions {
  /** The file into which passwords are written that were made. */
  readonly passwordsFile: string | undefined;
  readonly isDryRun: boolean;
  readonly onHashed: (done: number, all: number) => void;
}

/** Adds the users of a CSV file, all or none. */
@Injectable()
export class UserImportService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
  ) {}

  async import(file: string, options: ImportOptions): Promise<ImportedUser[]> {
    const table = await readCsv(file, ['username', 'restaurants'], ['password']);
    const users = await this.check(table);
    if (options.isDryRun) return users;
    const made = users.filter(({ hasNewPassword }) => hasNewPassword);
    await assertCanBeWritten(made.length, options.passwordsFile);
    // It is hashed before, as PostgreSQL would end a transaction that waits for that.
    const rows = await this.hash(users, options);
    await withPasswordsFile(made, options.passwordsFile, () => this.save(users, rows));
    return users;
  }

  private async check(table: Table): Promise<ImportedUser[]> {
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
    }
    const users = table.rows.map((row) => ({
      username: row.cells.username,
      restaurants: restaurantsOf(row, ids, table),
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

  private async hash(users: readonly ImportedUser[], { onHashed }: ImportOptions) {
    const rows: object[] = [];
    let done = 0;
    await this.passwords.forEach(users, async ({ username, restaurants, password }, index) => {
      const password_hash = await this.passwords.hash(password);
      const hasAll = restaurants === 'all';
      const restaurant_ids = hasAll ? [] : restaurants;
      rows[index] = { username, password_hash, all_restaurants: hasAll, restaurant_ids };
      onHashed(++done, users.length);
    });
    return rows;
  }

  private async save(users: readonly ImportedUser[], rows: readonly object[]): Promise<void> {
    const event = { actor: administrator(), action: 'user import', outcome: 'success' } as const;
    await this.database.transaction(async (transaction) => {
      await this.database.run(IMPORT_USERS, [JSON.stringify(rows)], transaction);
      for (const { username: subject, restaurants } of users)
        await this.audit.record({ ...event, subject, details: { restaurants } }, transaction);
    });
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
