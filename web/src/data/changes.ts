import { addDecimals } from '../amounts.js';
import type { HourChange } from '../api/shapes.js';
import type { FieldChange } from '../components/changes-table.js';
import { FIELD_NAMES } from '../fields.js';

/** Lists the fields that an upload changed in hours that were there before. */
export function overwritesOf(changes: readonly HourChange[]): FieldChange[] {
  return changes.flatMap(({ hour, before, after }) => {
    if (!before) return [];
    const fields = FIELD_NAMES.filter((field) => before[field] !== after[field]);
    return fields.map((field) => ({ hour, field, before: before[field], after: after[field] }));
  });
}

/** Says what an upload did to the turnover of the day. */
export function turnoverOf(changes: readonly HourChange[]): { before: string; after: string } {
  return {
    before: addDecimals(changes.map(({ before }) => before?.gto ?? '0')),
    after: addDecimals(changes.map(({ after }) => after.gto)),
  };
}
