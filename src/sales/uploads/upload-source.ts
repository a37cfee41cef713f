import { hasInvisible } from '../../http/validation/fields.decorator.js';
import type { ImportSource } from '../files/import-source.js';
import { InvalidImportSource, InvalidUploadSource } from '../sales.errors.js';

const MAX_CHARACTERS = 200;

/** Decodes the header X-Upload-Source; returns null if there is nothing in it. */
export function uploadSource(header = ''): string | null {
  if (header === '') return null;
  const source = decode(header);
  if (source === undefined || Array.from(source).length > MAX_CHARACTERS)
    throw new InvalidUploadSource();
  if (/\p{Cc}/u.test(source) || hasInvisible(source)) throw new InvalidUploadSource();
  return source.trim() || null;
}

const MAX_IMPORT_LENGTH = 4_000;
const MAX_TILLS = 200;

/** Decodes the header X-Import-Source; returns null if there is nothing in it. */
export function importSource(header = ''): ImportSource | null {
  if (header === '') return null;
  const json = decode(header) ?? '';
  const found = json.length > MAX_IMPORT_LENGTH ? null : attempt((): unknown => JSON.parse(json));
  const { profile, tills } = (found ?? {}) as Partial<Record<keyof ImportSource, unknown>>;
  if (!isName(profile) || !Array.isArray(tills)) throw new InvalidImportSource();
  if (tills.length > MAX_TILLS || !tills.every(isName)) throw new InvalidImportSource();
  return { profile, tills };
}

/** PostgreSQL keeps neither a NUL nor half of a surrogate pair. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/[\0\p{Cs}]/u.test(value);

/** Returns undefined unless the text is percent-encoded UTF-8, which is ASCII. */
function decode(text: string): string | undefined {
  return /^\p{ASCII}*$/u.test(text) ? attempt(() => decodeURIComponent(text)) : undefined;
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
