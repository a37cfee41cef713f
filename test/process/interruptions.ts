import { RawConnection } from '../support/raw-http.js';

const AT_ONCE = 24;

/** Ends a connection after all of it was sent. */
type Ending = (connection: RawConnection) => void;
const ENDINGS: readonly Ending[] = [
  (connection) => connection.abort(),
  (connection) => connection.endSending(),
];

/** Sends the bytes on a connection of their own and ends it in the given way, before or after anything was answered. */
async function interrupt(url: string, bytes: string, end: Ending): Promise<void> {
  const connection = await RawConnection.open(url);
  await connection.send(bytes);
  end(connection);
  if (end !== ENDINGS[0]) setTimeout(() => connection.abort(), 5);
}

/** Interrupts each of them in every way, many at once. */
export async function interruptAll(url: string, all: readonly string[]): Promise<void> {
  const left = all.flatMap((bytes) => ENDINGS.map((end) => [bytes, end] as const));
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) await interrupt(url, ...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The beginnings of a text, each a number of bytes longer than the one before, and the text itself. */
export function beginnings(text: string, step: number): string[] {
  const lengths = Array.from(
    { length: Math.ceil(text.length / step) },
    (_, index) => index * step + 1,
  );
  return [...lengths.map((length) => text.slice(0, length)), text];
}
