import { Client } from 'pg';
import { ON_CITUS, type TestDatabase } from './test-database.js';

const LIST = /^\s*(SELECT|WITH)\b[^]*\bORDER BY\b[^]*\bLIMIT\b/;

/** The statements of the tests of this file that read a list in pages; streams read it whole. */
const lists = new Set<string>();

/** Notes the lists that are read from now on. */
export function noteLists(): void {
  const query: unknown = Reflect.get(Client.prototype, 'query');
  Object.assign(Client.prototype, {
    query(this: Client, statement: string | { readonly text?: string }, ...rest: unknown[]) {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (text !== undefined && LIST.test(text)) lists.add(text);
      return Reflect.apply(query as () => unknown, this, [statement, ...rest]);
    },
  });
}

interface Plan {
  readonly 'Node Type': string;
  readonly Plans?: readonly Plan[];
}

const NOTHING: Plan = { 'Node Type': 'Result' };

/** Fails for a list whose page PostgreSQL can only find by sorting all rows, as no index has its order. */
export async function assertListsHaveIndexes(database: TestDatabase): Promise<void> {
  if (ON_CITUS || lists.size === 0) return;
  const sorted: string[] = [];
  const off = ['sort', 'incremental_sort', 'seqscan', 'bitmapscan'];
  await database.query(off.map((name) => `SET enable_${name} = off`).join('; '));
  for (const text of [...lists]) {
    type Explained = { 'QUERY PLAN': readonly [{ readonly Plan: Plan }] };
    const explained = database.query<Explained>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    const [row] = await explained.catch(() => []); // a cursor, or PostgreSQL before 16
    const { 'Node Type': type, Plans: [page] = [] } = row?.['QUERY PLAN'][0].Plan ?? NOTHING;
    if (type === 'Limit' && page && isSorted(page)) sorted.push(text);
  }
  await database.query('RESET ALL');
  lists.clear();
  const remedy = 'these sort all rows for a page: make an index that has their order';
  expect({ [remedy]: sorted }).toEqual({ [remedy]: [] });
}

function isSorted({ 'Node Type': type, Plans: [inner] = [] }: Plan): boolean {
  if (type === 'Sort' || type === 'Incremental Sort') return true;
  return (
    inner !== undefined &&
    ['LockRows', 'Result', 'Subquery Scan', 'Unique'].includes(type) &&
    isSorted(inner)
  );
}
