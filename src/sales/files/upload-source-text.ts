const MAX_LENGTH = 200;
/** Beyond this length a list of tills is replaced by how many there are, and a hash. */
const MAX_TILLS_LENGTH = 100;

/** Writes a text without the characters that nobody sees, which the service does not take. */
const visible = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u2800]/gu, ' ')
    .replace(/(?![\u200c\u200d\ufe00-\ufe0f])[\p{Cf}\p{DI}]/gu, '');

/** Names the tills of an upload so that a later one can tell whether it has them all. */
function tillsText(tills: readonly string[]): string {
  const sorted = tills.map(visible).sort();
  const listed = sorted.join(', ');
  return listed.length <= MAX_TILLS_LENGTH && !/[:]/.test(listed)
    ? listed
    : `${tills.length} (${hashOf(listed)})`;
}

/** The 32-bit FNV-1a hash, in hexadecimal. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Writes where an upload comes from as the ledger keeps it: `tills 1, 2: day-1.txt, day-2.txt`. */
export function sourceText(files: readonly string[], tills: readonly string[]): string {
  const noun = tills.length === 1 ? 'till' : 'tills';
  const start = tills.length > 0 ? `${noun} ${tillsText(tills)}: ` : '';
  const characters = Array.from(visible(start + files.join(', ')));
  return characters.length > MAX_LENGTH
    ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…`
    : characters.join('');
}

/** Returns the tills that are stored and not in this upload, as the ledger names them. */
export function foreignTills(source: string | null, tills: readonly string[]): string[] {
  const [, named] = /^tills? ([^:]+): /.exec(source ?? '') ?? [];
  if (named === undefined || named === tillsText(tills)) return [];
  const own = tills.map(visible);
  return named.split(', ').filter((till) => !own.includes(visible(till)));
}
