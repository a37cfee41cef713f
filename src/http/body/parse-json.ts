import { isUtf8 } from 'node:buffer';
import { InvalidJson, NotUtf8 } from '../errors/http.errors.js';

/** Stands at the end of most messages of V8; what stands before it may quote the text, which may hold a password. */
const POSITION = / at position \d+(?: \(line \d+ column \d+\))?$/;

/** Parses the bytes of a body. The error says where they stop being JSON if V8 does. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new NotUtf8();
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf; // .NET clients send one
  try {
    return JSON.parse((hasByteOrderMark ? bytes.subarray(3) : bytes).toString());
  } catch (error) {
    throw new InvalidJson(POSITION.exec((error as Error).message)?.[0] ?? '');
  }
}
