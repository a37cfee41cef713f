import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Database } from './database.js';
import { missingAfter } from './schema-version.js';

const UNDEFINED_TABLE = '42P01';
const RUN_MIGRATIONS = { name: 'run_migrations', text: 'SELECT name FROM migrations' };

/** What the database says of its own schema. */
@Injectable()
export class SchemaRepository {
  constructor(private readonly database: Database) {}

  /** The migrations of this release that have not run. Others may have: a newer release brings its own while we serve. */
  async missingMigrations(): Promise<string[]> {
    return missingAfter(await this.runMigrations());
  }

  private async runMigrations(): Promise<string[]> {
    try {
      return (await this.database.run<{ name: string }>(RUN_MIGRATIONS, [])).map(({ name }) => name);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return [];
      throw error;
    }
  }
}
