import type { DestinationStream } from 'pino';

const GATHER_MS = 10;

/**
 * Writes the lines of some milliseconds in one piece, what is left when the process ends included. A line by itself
 * sends a thread to work and is told when that is done: five system calls, as many as an upload takes for all else.
 */
export function gatherLines(destination: DestinationStream): DestinationStream {
  let lines = '';
  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') destination.write(text);
  };
  process.prependListener('exit', flush); // ahead of the destination's own last words
  return {
    write: (line: string): void => {
      if (lines === '') setTimeout(flush, GATHER_MS);
      lines += line;
    },
  };
}
