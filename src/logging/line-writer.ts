import { fstatSync, write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { counter } from '../metrics/metrics.js';

const GATHER_MS = 10;
const RETRY_MS = 100;
const MAX_PENDING = 8 * 1024 * 1024;
const EXIT_TIMEOUT_MS = 1000;
/** PIPE_BUF: so much is written whole or not at all, and lines of several processes are not mixed. */
const MAX_PIPE_WRITE_BYTES = 4096;

const dropped = counter('log_lines_dropped_total', 'Lines of the log that could not be written');

/**
 * Writes log lines in batches: see docs/performance.md#log-lines
 * Not sonic-boom: its flush at exit repeats ENOSPC and EPIPE without end (4.2.1).
 */
export class LineWriter implements DestinationStream {
  private lines = '';
  private unwritten: Buffer = Buffer.alloc(0);
  private state: 'idle' | 'waiting' | 'writing' = 'idle';
  private isFailing = false;
  private readonly isPipe: boolean;

  constructor(private readonly descriptor: number) {
    this.isPipe = fstatSync(descriptor).isFIFO();
    process.on('exit', () => this.writeRest());
  }

  write(line: string): void {
    if (this.isFailing || this.lines.length + line.length > MAX_PENDING) dropped.add();
    else this.lines += line;
    if (this.state === 'idle') this.writeIn(GATHER_MS);
  }

  private writeIn(ms: number): void {
    this.state = 'waiting';
    setTimeout(() => this.writeNext(), ms).unref();
  }

  private writeNext(): void {
    if (this.unwritten.length === 0) this.takeLines();
    this.state = 'writing';
    this.keepNonBlocking();
    write(this.descriptor, this.nextBytes(), (error, written) => {
      this.isFailing = error !== null && error.code !== 'EAGAIN';
      this.unwritten = this.unwritten.subarray(error ? 0 : written);
      if (error) this.writeIn(RETRY_MS);
      else if (this.unwritten.length > 0) this.writeNext();
      else if (this.lines !== '') this.writeIn(GATHER_MS);
      else this.state = 'idle';
    });
  }

  /** Of a pipe, the whole lines that fit into one write. */
  private nextBytes(): Buffer {
    if (!this.isPipe || this.unwritten.length <= MAX_PIPE_WRITE_BYTES) return this.unwritten;
    const end = this.unwritten.lastIndexOf('\n', MAX_PIPE_WRITE_BYTES - 1);
    return this.unwritten.subarray(0, (end === -1 ? this.unwritten.indexOf('\n') : end) + 1);
  }

  private takeLines(): void {
    this.unwritten = Buffer.from(this.lines);
    this.lines = '';
  }

  /** A thread finishes the current write. */
  private writeRest(): void {
    const giveUpAt = Date.now() + EXIT_TIMEOUT_MS;
    if (this.state === 'writing') this.takeLines();
    else this.unwritten = Buffer.concat([this.unwritten, Buffer.from(this.lines)]);
    while (this.unwritten.length > 0) {
      try {
        this.keepNonBlocking();
        this.unwritten = this.unwritten.subarray(writeSync(this.descriptor, this.nextBytes()));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > giveUpAt) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GATHER_MS);
      }
    }
  }

  /** A worker that ends makes a standard output that it shares block again: Node restores what it was at the start. */
  private keepNonBlocking(): void {
    if (this.descriptor !== 1) return;
    const handle = Reflect.get(process.stdout, '_handle') as { setBlocking?(isBlocking: boolean): void } | undefined;
    handle?.setBlocking?.(false);
  }
}
