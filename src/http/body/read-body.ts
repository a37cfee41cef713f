import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type BrotliOptions, type ZlibOptions } from 'node:zlib';
import {
  BodyCutShort,
  BodyTooLarge,
  InvalidEncoding,
  TooManyPieces,
  UnsupportedEncoding,
} from '../errors/http.errors.js';

type Inflate = (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)], // RFC 9110 section 8.4.1.3
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

export interface BodySource extends IncomingMessage {
  readonly hasTooManyPieces?: boolean;
}

export interface BodyLimits {
  /** Sent or inflated. */
  readonly bytes: number;
  readonly mayBeCompressed: boolean;
}

/**
 * Reads a body; drops the rest of a rejected one, so that the client can read the response.
 * See docs/performance.md#body
 */
export async function readBody(request: BodySource, limits: BodyLimits): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes)
    throw new BodyTooLarge(limits.bytes);
  if (request.destroyed) throw new BodyCutShort(); // no event would follow
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

function collect(request: BodySource, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limit) settle(new BodyTooLarge(limit));
      else if (request.hasTooManyPieces) settle(new TooManyPieces());
    };
    const onEnd = (): void => settle();
    const onClose = (): void => settle(new BodyCutShort());
    const settle = (error?: Error): void => {
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      if (error) reject(error);
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    };
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}
