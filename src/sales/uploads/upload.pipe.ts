import { Injectable, type PipeTransform } from '@nestjs/common';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { faultsOf, type Rule } from '../../http/validation/define-field.js';
import { type Fault, InvalidFields } from '../../http/validation/fault.js';
import { AMOUNT_RULE, DATE_RULE, integerRule } from '../../http/validation/fields.decorator.js';
import { listOf } from '../../http/validation/list-field.decorator.js';
import { isObject, objectOf, prefixFor } from '../../http/validation/request.pipe.js';
import { SALES_FIELDS, type SentUpload } from '../fields/sales-fields.js';

const CLOSED = 'a closed day is sent as records of zeros, unless head office has closed it';

/** The rules of a record, in the order in which its faults are told. */
const RULES: readonly { name: string; rule: Rule; isOptional?: true }[] = [
  { name: 'restaurant_id', rule: integerRule({ min: 1 }) },
  { name: 'date', rule: DATE_RULE },
  { name: 'hour', rule: integerRule({ min: 0, max: HOURS_PER_DAY - 1 }) },
  ...SALES_FIELDS.map(({ kind, ...field }) => {
    return { ...field, rule: kind === 'count' ? integerRule({ min: 0 }) : AMOUNT_RULE };
  }),
];

/**
 * Checks the body of an upload by a plain loop, as class-transformer would copy each value of it:
 * see docs/decisions.md
 */
@Injectable()
export class UploadPipe implements PipeTransform<unknown, SentUpload> {
  transform(body: unknown): SentUpload {
    return readUpload(body);
  }
}

/** Returns an upload if all that was sent is valid. */
export function readUpload(body: unknown): SentUpload {
  const { records } = objectOf(body);
  const faults = recordFaults(records, 'records');
  if (faults.length > 0) throw new InvalidFields(faults, prefixFor(body));
  return { records: records as SentUpload['records'] };
}

/** Returns what is wrong with a list of records. */
export function recordFaults(value: unknown, path: string): readonly Fault[] {
  const records = listOf(value, path, HOURS_PER_DAY, CLOSED);
  if ('text' in records) return [records];
  const faults: Fault[] = [];
  const firsts: Firsts = new Map();
  for (const [index, record] of records.entries()) {
    const place = `${path}[${index}]`;
    if (!isObject(record)) {
      faults.push({ path: place, text: 'must be an object' });
      continue;
    }
    const invalid = new Set<string>();
    for (const { name, rule, isOptional } of RULES) {
      const sent = record[name];
      if (sent === undefined ? isOptional : rule.passes(sent)) continue;
      invalid.add(name);
      faults.push(...faultsOf(rule, sent, `${place}.${name}`));
    }
    for (const name of ['hour', 'restaurant_id', 'date']) {
      const text = invalid.has(name) ? undefined : compare(name, record[name], place, firsts);
      if (text !== undefined) faults.push({ path: `${place}.${name}`, text });
    }
  }
  return faults;
}

/** The place and the value of the first record with each hour, with a restaurant and with a date. */
type Firsts = Map<string, { readonly place: string; readonly value: unknown }>;

/** Compares a valid value with that of an earlier record; returns what is wrong with it. */
function compare(name: string, value: unknown, place: string, firsts: Firsts): string | undefined {
  const isHour = name === 'hour';
  const key = isHour ? `hour ${String(value)}` : name;
  const first = firsts.get(key);
  if (!first) firsts.set(key, { place, value });
  if (!first || (!isHour && value === first.value)) return undefined;
  const shown = `(${String(first.value)})`;
  return isHour
    ? `repeats ${first.place}.hour ${shown}`
    : `must be the same as in ${first.place} ${shown}: one upload is one restaurant and one day`;
}
