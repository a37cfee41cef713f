/** A figure of the ledger's records. */
export interface LedgerField {
  readonly name: string;
  readonly type: 'integer' | 'numeric';
  /** Whether records may lack it: those that were written before there was such a field. */
  readonly isOptional?: boolean;
}

/** The figures of the first release. */
export const FIRST_FIELDS: readonly LedgerField[] = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
].map((name) => ({ name, type: /^(orders|pax)$/.test(name) ? 'integer' : 'numeric' })); // prettier-ignore

/** Writes the SQL that makes the function and the view which read the ledger. */
export function createHistory(fields: readonly LedgerField[]): string {
  const list = (write: (field: LedgerField) => string): string => fields.map(write).join(', ');
  /** What an hour had before: 0 where the record lacks the field, null where there was no hour. */
  const before = ({ name, isOptional }: LedgerField): string =>
    isOptional
      ? `CASE WHEN before.upload_number IS NOT NULL THEN coalesce(before.${name}, 0) END`
      : `before.${name}`;
  /** What an hour has since: an instance of an earlier release leaves a later field as it was. */
  const after = ({ name, isOptional }: LedgerField): string =>
    isOptional ? `coalesce(now.${name}, before.${name}, 0)` : `now.${name}`;
  return `
-- Turns the records of the ledger, an array per field, into a row per hour.
CREATE FUNCTION upload_hours(records json)
RETURNS TABLE (hour smallint, ${list(({ name, type }) => `${name} ${type}`)})
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT unnest(sent.hour), ${list(({ name }) => `unnest(sent.${name})`)}
  FROM json_to_record(records)
    AS sent (hour smallint[], ${list(({ name, type }) => `${name} ${type}[]`)})
$$;
-- Lists every hour that an upload changed, beside what the latest earlier upload of it says.
CREATE VIEW sales_history AS
SELECT u.restaurant_id, u.date, now.hour, u.number AS upload_number, u.uploaded_at, users.username,
  before.upload_number AS replaced_upload_number,
  ${list((field) => `${before(field)} AS ${field.name}_before, ${after(field)} AS ${field.name}_after`)}
FROM uploads AS u
JOIN users ON users.id = u.user_id
-- the hours as the upload sent them
CROSS JOIN LATERAL upload_hours(u.records) AS now
-- The same hour before. It is looked up for each changed hour, not by a window over the day, so
-- that a page of a day with very many uploads costs no more than another page.
LEFT JOIN LATERAL (
  SELECT e.number AS upload_number, h.*
  FROM uploads AS e
  CROSS JOIN LATERAL upload_hours(e.records) AS h
  WHERE e.restaurant_id = u.restaurant_id AND e.date = u.date
    AND e.number BETWEEN u.number - 5000 AND u.number - 1 -- no till sends so many in a day
    AND (e.changed_hours >> now.hour) & 1 = 1 AND h.hour = now.hour
  ORDER BY e.number DESC
  LIMIT 1
) AS before ON true
-- only the hours that the upload changed
WHERE (u.changed_hours >> now.hour) & 1 = 1;
COMMENT ON VIEW sales_history IS
'A row for every change of an hour: which upload wrote it, by whom and when, which upload it replaced, and the values before (null: none, or none of the 5,000 uploads before) and after'`;
}

export const DROP_HISTORY = 'DROP VIEW sales_history; DROP FUNCTION upload_hours';

/** Writes the SQL that adds a figure to those that there are, without rewriting a table. */
export function addField(fields: readonly LedgerField[], { name, type }: LedgerField): string {
  return `
-- A domain with a rule would rewrite every row, and no upload could be saved meanwhile.
ALTER TABLE hourly_sales ADD COLUMN ${name} ${type} NOT NULL DEFAULT 0;
ALTER TABLE sales_days ADD COLUMN total_${name} numeric;
${replaceHistory([...fields, { name, type, isOptional: true }])}`;
}

/** Writes the SQL that takes the figure away again, with what was stored of it. */
export function dropField(fields: readonly LedgerField[], { name }: LedgerField): string {
  return `
ALTER TABLE hourly_sales DROP COLUMN ${name};
ALTER TABLE sales_days DROP COLUMN total_${name};
UPDATE sales_days SET totals_fields = NULL WHERE totals_fields > ${fields.length};
${replaceHistory(fields)}`;
}

function replaceHistory(fields: readonly LedgerField[]): string {
  return `
${DROP_HISTORY};
${createHistory(fields)};
-- Instances that run go on reading the ledger.
DO $$ BEGIN
  IF to_regrole('sales_service') IS NOT NULL THEN
    GRANT SELECT ON sales_history TO sales_service;
  END IF;
END $$`;
}
