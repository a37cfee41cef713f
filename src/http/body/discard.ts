import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Of each rejected request, whoever else is waiting. */
const FIRST_BYTES = 65_536;
const TURN_BYTES = 262_144;
const TURN_INTERVAL_MS = 20;
const MAX_UNUSED_TURNS = 100;
/** What an event costs, in bytes that could be read instead: a chunk may hold one byte. */
const CHUNK_COST_BYTES = 1024;
/** The same for each byte around chunks. */
const FRAMING_COST = 200;

/** Oldest first. */
const waiting = new Set<() => void>();
let unusedTurns = MAX_UNUSED_TURNS;
let timer: NodeJS.Timeout | undefined;

/**
 * Reads and drops what a client still sends of a rejected request: many clients read the response only after sending.
 * They take turns, so that reading for all of them takes little time; see docs/performance.md#hostile-clients
 */
export function discard(socket: Socket, body: Readable = socket): void {
  let left = FIRST_BYTES;
  let { bytesRead } = socket;
  const takeTurn = (): void => {
    left += TURN_BYTES;
    if (left > 0) socket.resume();
    else waiting.add(takeTurn);
  };
  body.on('data', (chunk: Buffer) => {
    const framing = Math.max(0, socket.bytesRead - bytesRead - chunk.length);
    left -= chunk.length + CHUNK_COST_BYTES + FRAMING_COST * framing;
    ({ bytesRead } = socket);
    if (left > 0) return;
    timer ??= setInterval(giveTurn, TURN_INTERVAL_MS).unref();
    if (unusedTurns > 0) {
      unusedTurns -= 1;
      left += TURN_BYTES;
    } else {
      socket.pause(); // a paused request would keep the chunks that were read
      waiting.add(takeTurn);
    }
  });
  body.once('close', () => waiting.delete(takeTurn) && socket.resume());
  if (body !== socket) body._read = () => undefined; // Node's resumes the socket
  setImmediate(() => left > 0 && socket.resume()); // a pause in the same tick would not stop it
  body.resume();
}

function giveTurn(): void {
  const [takeTurn] = waiting;
  if (takeTurn) {
    waiting.delete(takeTurn);
    takeTurn();
  } else {
    unusedTurns += 1;
    if (unusedTurns < MAX_UNUSED_TURNS) return;
    clearInterval(timer);
    timer = undefined;
  }
}

/** Undocumented, of Node. */
interface BodyParser {
  readonly constructor: { readonly kOnBody: number };
  [callback: number]: unknown;
}

/** Skips the rest of a body in what was read, which Node parses before any guard runs; see docs/performance.md#small-pieces */
export function skipRead({ parser }: Socket & { parser?: BodyParser | null }): (() => void) | undefined {
  if (!parser) return undefined;
  const { kOnBody } = parser.constructor;
  const onBody = parser[kOnBody];
  parser[kOnBody] = null;
  const stop = (): void => void (parser[kOnBody] = onBody);
  setImmediate(stop);
  return stop;
}
