import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type BrotliOptions, type ZlibOptions } from 'node:zlib';
import {
  BodyCutShort,
  BodyTooLarge,
  InvalidEncoding,
  InvalidJson,
  NotJson,
  NotUtf8,
  TooManyPieces,
  UnsupportedCharset,
  UnsupportedEncoding,
} from '../errors/http.errors.js';

const JSON_TYPE = /^\s*application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;
const UTF8_NAMES: readonly (string | undefined)[] = [undefined, 'utf-8', 'utf8', 'us-ascii'];

/** Ends most messages of V8; what stands before may quote the text, and so a password. */
const POSITION = / at position \d+(?: \(line \d+ column \d+\))?$/;

type Inflate = (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)], // equals gzip by RFC 9110 section 8.4.1.3
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Smaller pieces are counted; a packet holds more. */
const SMALL_PIECE_BYTES = 64;
/** Small pieces of one body; a till that writes four bytes at a time sends 2,000 for a day. */
const MAX_SMALL_PIECES = 8192;

export interface BodyLimits {
  /** Counts what was sent, and what it inflates to. */
  readonly bytes: number;
  readonly mayBeCompressed: boolean;
}

/** Reads and parses a body; an empty one counts as an empty object. */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBody(request, limits);
  if (bytes.length === 0) return {};
  const type = request.headers['content-type'] ?? '';
  if (type !== 'application/json') assertJson(type);
  if (!isUtf8(bytes)) throw new NotUtf8();
  // .NET clients send a byte order mark.
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return JSON.parse((hasByteOrderMark ? bytes.subarray(3) : bytes).toString());
  } catch (error) {
    throw new InvalidJson(POSITION.exec((error as Error).message)?.[0] ?? '');
  }
}

function assertJson(contentType: string): void {
  const match = JSON_TYPE.exec(contentType);
  if (!match) throw new NotJson();
  if (!UTF8_NAMES.includes(CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase()))
    throw new UnsupportedCharset();
}

async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes)
    throw new BodyTooLarge(limits.bytes);
  if (request.destroyed) throw new BodyCutShort(); // no event would report it
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return collect(request, limits.bytes);
  const inflate = limits.mayBeCompressed ? INFLATERS.get(encoding) : undefined;
  if (!inflate)
    throw new UnsupportedEncoding(
      limits.mayBeCompressed ? 'gzip, deflate, br or identity' : 'identity',
    );
  const compressed = await collect(request, limits.bytes);
  try {
    return await inflate(compressed, { maxOutputLength: limits.bytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new BodyTooLarge(limits.bytes) : new InvalidEncoding();
  }
}

/** Collects the pieces of a body without the machinery of streams: see docs/performance.md#body. */
function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let smallPieces = 0;
    const onData = (piece: Buffer): void => {
      length += piece.length;
      pieces.push(piece);
      if (piece.length < SMALL_PIECE_BYTES) smallPieces++;
      if (length > limit) settle(new BodyTooLarge(limit));
      else if (smallPieces > MAX_SMALL_PIECES) settle(new TooManyPieces());
    };
    const onEnd = (): void => settle();
    const onClose = (): void => settle(new BodyCutShort());
    const settle = (error?: Error): void => {
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      if (error) reject(error);
      else resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
    };
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}
