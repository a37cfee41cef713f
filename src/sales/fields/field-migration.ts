import { SALES_FIELDS, type SalesField } from './sales-fields.js';
import { joinBefore, valueIn } from './upload-history.js';

const TYPES = {
  amount: { sql: 'numeric', domain: 'sales_amount', check: 'VALUE >= 0 AND VALUE < 100000000000' },
  count: { sql: 'integer', domain: 'sales_count', check: 'VALUE >= 0' },
} as const;

const UPLOADS = { restaurantId: 'u.restaurant_id', date: 'u.date', hoursOf: 'new_upload_hours' };

/** Returns the migration that adds a declared field. */
export function fieldMigration(name = ''): string {
  const index = SALES_FIELDS.findIndex((field) => field.name === name);
  const field = SALES_FIELDS[index];
  if (field?.default === undefined || !(field.since! <= Date.now()))
    throw new Error(`"${name}" must be in sales-fields.ts, with a default, and since the milliseconds of now`);
  const { domain, check } = TYPES[field.kind];
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const column = `${name} ${domain} NOT NULL DEFAULT ${field.default}`;
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Add${words.join('')}${field.since} implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL would rewrite the table for a column whose domain has a constraint. All stored values fulfil it.
    await runner.query('LOCK TABLE hourly_sales IN ACCESS EXCLUSIVE MODE');
    await runner.query('ALTER DOMAIN ${domain} DROP CONSTRAINT ${domain}_check');
    await runner.query('ALTER TABLE hourly_sales ADD COLUMN ${column}');
    await runner.query(
      'ALTER DOMAIN ${domain} ADD CONSTRAINT ${domain}_check CHECK (${check}) NOT VALID',
    );
    await runner.query(\`
${historySql(SALES_FIELDS.slice(0, index + 1), 'CREATE OR REPLACE')}\`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW sales_history');
    await runner.query(\`
${historySql(SALES_FIELDS.slice(0, index), 'CREATE')}\`);
    await runner.query('ALTER TABLE hourly_sales DROP COLUMN ${name}');
  }
}
`;
}

/** Replaced views keep their grants; new columns must come last. Uploads of a release without the field have null. */
function historySql(fields: readonly SalesField[], create: 'CREATE' | 'CREATE OR REPLACE'): string {
  const list = (write: (field: SalesField) => string): string => fields.map(write).join(', ');
  return `      CREATE FUNCTION new_upload_hours(records json) RETURNS TABLE (hour smallint,
        ${list(({ name, kind }) => `${name} ${TYPES[kind].sql}`)})
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT h.*
        FROM json_to_record(records) AS c (hour smallint[],
        ${list(({ name, kind }) => `${name} ${TYPES[kind].sql}[]`)}),
        unnest(c.hour,
        ${list(({ name }) => `c.${name}`)}) AS h (hour,
        ${list(({ name }) => name)})
      $$;
      ${create} VIEW sales_history AS
      SELECT u.restaurant_id, u.date, now.hour, u.number AS upload_number, u.uploaded_at, users.username,
        before.upload_number AS replaced_upload_number,
        ${fields.map(changeOf).join(',\n        ')}
      FROM uploads AS u
      JOIN users ON users.id = u.user_id
      CROSS JOIN LATERAL new_upload_hours(u.records) AS now${joinBefore(fields, UPLOADS)}
      WHERE (u.changed_hours >> now.hour) & 1 = 1;
      DROP FUNCTION upload_hours(json);
      ALTER FUNCTION new_upload_hours RENAME TO upload_hours`;
}

function changeOf(field: SalesField): string {
  const value = valueIn('before', field);
  const before = field.default === undefined ? value : `CASE WHEN before.upload_number IS NOT NULL THEN ${value} END`;
  return `${before} AS ${field.name}_before, ${valueIn('now', field)} AS ${field.name}_after`;
}
