import { SALES_FIELDS, type SalesField } from './sales-fields.js';

const TYPES = {
  amount: { sql: 'numeric', domain: 'sales_amount', check: 'VALUE >= 0 AND VALUE < 100000000000' },
  count: { sql: 'integer', domain: 'sales_count', check: 'VALUE >= 0' },
} as const;

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
  const list = listOf(fields);
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
${viewSql(fields, create)}
      DROP FUNCTION upload_hours(json);
      ALTER FUNCTION new_upload_hours RENAME TO upload_hours`;
}

function viewSql(fields: readonly SalesField[], create: string): string {
  const optional = fields.filter(({ default: value }) => value !== undefined);
  return `      ${create} VIEW sales_history AS
      SELECT u.restaurant_id, u.date, now.hour, u.number AS upload_number, u.uploaded_at, users.username,
        before.upload_number AS replaced_upload_number,
        ${listOf(fields)(changeOf)}
      FROM uploads AS u
      JOIN users ON users.id = u.user_id
      CROSS JOIN LATERAL new_upload_hours(u.records) AS now
      LEFT JOIN LATERAL (${latestEarlier('e.number AS upload_number, h.*')}
      ) AS before ON true${optional.map(keptOf).join('')}
      WHERE (u.changed_hours >> now.hour) & 1 = 1;`;
}

function changeOf({ name, default: value }: SalesField): string {
  if (value === undefined) return `before.${name} AS ${name}_before, now.${name} AS ${name}_after`;
  const kept = `kept_${name}.${name}, ${value}`;
  return `CASE WHEN before.upload_number IS NOT NULL THEN coalesce(before.${name}, ${kept}) END AS ${name}_before,
        coalesce(now.${name}, ${kept}) AS ${name}_after`;
}

/** What uploads that lack the field kept; those from before the field are not read. */
function keptOf({ name, since }: SalesField): string {
  const time = `'${new Date(since!).toISOString()}'`;
  const condition = `
          AND u.uploaded_at >= ${time} AND (now.${name} IS NULL OR before.${name} IS NULL)
          AND e.uploaded_at >= ${time} AND h.${name} IS NOT NULL`;
  return `
      LEFT JOIN LATERAL (${latestEarlier(`h.${name}`, condition)}
      ) AS kept_${name} ON true`;
}

function latestEarlier(columns: string, condition = ''): string {
  return `
        SELECT ${columns}
        FROM uploads AS e
        CROSS JOIN LATERAL new_upload_hours(e.records) AS h
        WHERE e.restaurant_id = u.restaurant_id AND e.date = u.date AND e.number < u.number
          AND (e.changed_hours >> now.hour) & 1 = 1 AND h.hour = now.hour${condition}
        ORDER BY e.number DESC
        LIMIT 1`;
}

function listOf(fields: readonly SalesField[]) {
  return (write: (field: SalesField) => string): string => {
    const lines: string[] = [];
    for (const item of fields.map(write)) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + item.length < 100) lines[lines.length - 1] = `${last}, ${item}`;
      else lines.push(item);
    }
    return lines.join(',\n        ');
  };
}
