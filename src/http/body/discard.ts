import type { Readable } from 'node:stream';

/** Bytes that all rejected clients together may go on sending in a second. */
const BYTES_PER_SECOND = 32 * 1024 * 1024;
/** Taken from the budget for each chunk beside its bytes: a chunk of one byte costs CPU as well. */
const CHUNK_COST_BYTES = 4096;

let budget = BYTES_PER_SECOND;

/**
 * Reads and drops what a client still sends of a rejected request, since many clients read the
 * response only after sending. When the budget of all such clients is used up, reading goes on in
 * the next second.
 */
export function discard(source: Readable): void {
  source.on('data', (chunk: Buffer) => {
    if (budget === BYTES_PER_SECOND) setTimeout(() => (budget = BYTES_PER_SECOND), 1000).unref();
    budget -= chunk.length + CHUNK_COST_BYTES;
    if (budget >= 0) return;
    source.pause();
    setTimeout(() => source.resume(), 1000).unref();
  });
  source.resume();
}
