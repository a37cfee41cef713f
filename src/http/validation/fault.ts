import { InvalidRequest } from '../errors/http.errors.js';

const MAX_POINTERS = 20;
const MAX_TEXTS = 10;

/** One thing that is wrong with a request. */
export interface Fault {
  /** The path of the value, such as `records[3].hour`. */
  readonly path: string;
  /** What follows the path, such as "is missing". */
  readonly text: string;
}

/** Rejects a request for its fields: names the first faults in words, more by pointers. */
export class InvalidFields extends InvalidRequest {
  constructor(
    readonly faults: readonly Fault[],
    prefix = '',
  ) {
    const texts = faults.slice(0, MAX_TEXTS).map(({ path, text }) => `${path} ${text}`);
    const more = faults.length - MAX_TEXTS;
    if (more > 0) texts.push(`... and ${more} more`);
    super(prefix + texts.join('; '), faults.slice(0, MAX_POINTERS).map(pointerOf));
  }
}

/** In a JSON pointer (RFC 6901) the parts of a path follow slashes. */
function pointerOf({ path }: Fault): string {
  return `/${path.replace(/\]$/, '').replace(/\]?[.[]/g, '/')}`;
}
