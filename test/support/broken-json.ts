import fc from 'fast-check';

/** Values that are nearly right, or famous for going wrong. */
const ODD = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    ' ',
    '7',
    'a',
    'password',
    0,
    -0,
    1,
    7.5,
    -1,
    -0.001,
    23,
    24,
    25,
    1e-7,
  ),
  fc.constantFrom<unknown>(2_147_483_647, 2_147_483_648, 99_999_999_999.9999, 1e11, 1e300, Number.MAX_SAFE_INTEGER + 1),
  fc.constantFrom<unknown>('2025-02-29', '2024-02-29', '1900-02-29', '0000-01-01', '2025-13-01', '2025-10-15 ', '1e3'),
  fc.constantFrom<unknown>([], {}, [[]], [{}], [null], { toString: 1 }, { length: 1 }, { 0: {} }, ['a', 'a'], [[[{}]]]),
  fc.string({ maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const CHANGE = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('drop', 'replace', 'replace', 'replace', 'rename', 'wrap', 'copy'),
  odd: ODD,
});

type Slot = readonly [holder: Record<string, unknown> | unknown[], key: string];

/** Copies of a valid body with up to eight changes: fields dropped, retyped, renamed or wrapped, entries doubled. */
export function broken(valid: object): fc.Arbitrary<object> {
  return fc.array(CHANGE, { maxLength: 8 }).map((changes) => {
    const body = structuredClone(valid);
    for (const { place, kind, odd } of changes) {
      const slots = slotsIn(body);
      const slot = slots[place % Math.max(slots.length, 1)];
      if (slot) change(slot, kind, structuredClone(odd));
    }
    // Without "$", which class-validator takes for a sign of its own where a message repeats a value.
    return JSON.parse(JSON.stringify(body).replaceAll('$', '')) as object;
  });
}

function change([holder, key]: Slot, kind: string, odd: unknown): void {
  const fields = holder as Record<string, unknown>;
  const value = fields[key];
  if (Array.isArray(holder) && kind === 'drop') holder.splice(Number(key), 1);
  else if (Array.isArray(holder) && kind === 'copy') holder.push(structuredClone(value));
  else if (kind === 'replace') fields[key] = odd;
  else if (kind === 'wrap') fields[key] = [value];
  else {
    if (kind === 'rename') fields[`${key}s`] = value;
    Reflect.deleteProperty(fields, key);
  }
}

function slotsIn(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...slotsIn(holder[key])]);
}
