import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import getRawBody, { type RawBodyError } from 'raw-body';
import {
  BodyCutShort,
  BodyTooLarge,
  InvalidEncoding,
  InvalidJson,
  NameRepeated,
  NotJson,
  NotUtf8,
  UnsupportedCharset,
  UnsupportedEncoding,
} from '../errors/http.errors.js';
import { inspectJson, mayRepeatNames } from './json-text.js';

const JSON_TYPE = /^\s*application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;
const UTF8_NAMES: readonly (string | undefined)[] = [undefined, 'utf-8', 'utf8', 'us-ascii'];

type Inflate = (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)], // equals gzip by RFC 9110 section 8.4.1.3
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** A piece below this size counts as small; a packet of a usual client holds more. */
const SMALL_PIECE_BYTES = 64;
/** Small pieces that a body may have; a till that writes four bytes at a time sends 2,000. */
const MAX_SMALL_PIECES = 8192;

const utf8 = new TextDecoder();

/** Reads and parses a body; the limit holds for what is sent and for what that inflates to. */
export async function readJson(
  request: IncomingMessage,
  maxBytes: number,
  mayBeCompressed: boolean,
): Promise<unknown> {
  const { headers } = request;
  const sent = await readBytes(request, maxBytes);
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const inflate = mayBeCompressed ? INFLATERS.get(encoding) : undefined;
  if (!inflate && encoding !== 'identity')
    throw new UnsupportedEncoding(mayBeCompressed ? 'gzip, deflate, br or identity' : 'identity');
  const bytes = inflate ? await inflateWithin(maxBytes, sent, inflate) : sent;
  return bytes.length === 0 ? undefined : parse(bytes, headers['content-type'] ?? '');
}

/** Reads the bytes of a body. */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const length = request.headers['content-length'] ?? null;
  return new Promise((resolve, reject) => {
    const text = 'the body is sent in too many small pieces';
    watchPieces(request, () => reject(new BodyTooLarge(text)));
    getRawBody(request, { length, limit: maxBytes }).then(resolve, (error: unknown) => {
      const isTooLarge = (error as RawBodyError).type === 'entity.too.large';
      reject(isTooLarge ? tooLarge(maxBytes) : new BodyCutShort());
    });
  });
}

/** Tells when a body has come in too many small pieces: each costs as much as a large one. */
export function watchPieces(request: IncomingMessage, onTooMany: () => void): void {
  let count = 0;
  const onData = (piece: Buffer): void => {
    if (piece.length >= SMALL_PIECE_BYTES || ++count <= MAX_SMALL_PIECES) return;
    request.off('data', onData);
    onTooMany();
  };
  request.on('data', onData);
}

function tooLarge(maxBytes: number): Error {
  return new BodyTooLarge(`the body is larger than ${maxBytes} bytes, the limit`);
}

async function inflateWithin(maxBytes: number, sent: Buffer, inflate: Inflate): Promise<Buffer> {
  try {
    return await inflate(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(maxBytes) : new InvalidEncoding();
  }
}

function parse(bytes: Buffer, contentType: string): unknown {
  const match = JSON_TYPE.exec(contentType);
  if (!match) throw new NotJson();
  if (!UTF8_NAMES.includes(CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase()))
    throw new UnsupportedCharset();
  if (!isUtf8(bytes)) throw new NotUtf8();
  // The decoder drops the byte order mark, which .NET clients send.
  const text = utf8.decode(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // V8's own message may quote the body and so a password.
    throw new InvalidJson(text, inspectJson(text).fault ?? text.length);
  }
  const repeated = mayRepeatNames(text, parsed) && inspectJson(text).repeated;
  if (repeated) throw new NameRepeated(repeated);
  return parsed;
}
