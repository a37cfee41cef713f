import * as v from 'valibot';
import type { Fault } from '../../http/validation/fault.js';
import { isBuiltIn, isGiven, type Profile, rowRules, usedColumns } from './profile.js';
import { PROFILE } from './profile-schema.js';

/** Finds what is wrong with a profile, whose name is given beside it. */
export function profileFaults(value: unknown, path = ''): Fault[] {
  if (Array.isArray(value)) return [{ path, text: 'must be an object' }];
  const { success, issues } = v.safeParse(PROFILE, value);
  return success
    ? inconsistencies(value as Profile, path)
    : issues.map((issue) => ({ path: pathOf(issue, path), text: issue.message }));
}

/** Writes `restaurant.codes.x`, `rows[1].column`. */
const pathOf = ({ path }: v.BaseIssue<unknown>, prefix: string): string =>
  (path ?? []).reduce((text, { type, key }) => {
    const name = String(key).slice(0, 60);
    return type === 'array' ? `${text}[${name}]` : `${text}${text === '' ? '' : '.'}${name}`;
  }, prefix);

function inconsistencies(profile: Profile, path: string): Fault[] {
  const prefix = path === '' ? '' : `${path}.`;
  const fault = (option: string, text: string): Fault[] => [{ path: prefix + option, text }];
  const columns = usedColumns(profile);
  const numbers = columns.filter((each) => typeof each === 'number');
  if (numbers.length > 0 && numbers.length < columns.length)
    return fault('hour.column', 'must be a heading if other columns are, or a number if they are');
  if (numbers.length > 0 && profile.file_name === undefined)
    return fault('file_name', 'is missing: files without headings are told by their name');
  if (rowRules(profile).some(({ order }) => order) && profile.fields.orders !== null)
    return fault('fields.orders', 'must be null, as rows.order counts the orders');
  if (profile.till && isGiven(profile.till))
    return fault('till.from', 'must be "file_name" or "sheet_name"');
  const { split, fields: named } = profile;
  if (named.gto === null && !Object.values(split?.into ?? {}).includes('gto'))
    return fault('fields.gto', 'must not be null');
  return [];
}

/** Says what is wrong with the name of a profile; undefined if it is right. */
export function nameFault(name: string): string | undefined {
  if (isBuiltIn(name)) return 'is the name of a profile of the service';
  return /^[a-z0-9][a-z0-9-]{0,59}$/.test(name)
    ? undefined
    : 'must be 1 to 60 small letters, digits and hyphens';
}
