import { serviceError } from './service-error.js';

export const BodyTooLarge = serviceError(
  'body_too_large',
  413,
  (limit: number) => `the body is larger than ${limit} bytes, the limit`,
);

export const ChunkExtensionsTooLarge = serviceError('body_too_large', 413, 'the chunk extensions are too large');

export const TooManyPieces = serviceError('body_too_large', 413, 'the body is sent in too many small pieces');

export const TooManyEntries = serviceError('too_many_entries', 413, (text: string) => text);

export function tooManyEntriesText(list: string, count: number, max: number): string {
  return `${list} holds ${count} entries, at most ${max} are allowed`;
}
