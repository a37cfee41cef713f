import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes that all rejected clients together may go on sending in a second. */
const BYTES_PER_SECOND = 32 * 1024 * 1024;
/** Handling a chunk costs as much as reading this many bytes; a chunk may hold one. */
const CHUNK_COST_BYTES = 4096;

let left = 0;
let refilledAt = -Infinity;

/**
 * Reads and drops what a client still sends of a rejected request, since many clients read the
 * response only after sending. When the budget of all such clients is used up, reading goes on in
 * the next second.
 */
export function discard(source: Readable, socket: Socket): void {
  let { bytesRead } = socket;
  source.on('data', () => {
    refill();
    left -= socket.bytesRead - bytesRead + CHUNK_COST_BYTES;
    ({ bytesRead } = socket);
    if (left >= 0) return;
    source.pause();
    setTimeout(() => source.resume(), 1000).unref();
  });
  source.resume();
}

function refill(): void {
  const now = performance.now();
  if (now - refilledAt < 1000) return;
  refilledAt = now;
  left = BYTES_PER_SECOND;
}
