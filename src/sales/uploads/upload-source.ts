import { hasInvisible } from '../../http/validation/fields.decorator.js';
import { InvalidUploadSource } from '../sales.errors.js';

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

/** Returns undefined unless the text is percent-encoded UTF-8, which is ASCII. */
function decode(text: string): string | undefined {
  try {
    return /^\p{ASCII}*$/u.test(text) ? decodeURIComponent(text) : undefined;
  } catch {
    return undefined;
  }
}
