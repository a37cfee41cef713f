import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { Counter } from 'prom-client';

const GATHER_MS = 10;
const RETRY_MS = 100;
const MAX_PENDING = 8 * 1024 * 1024;
const EXIT_TIMEOUT_MS = 1000;

const droppedLines = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Lines of the log that could not be written',
});

/**
 * Writes log lines in batches; see docs/performance.md#log-lines
 * The flush of sonic-boom at exit would repeat ENOSPC and EPIPE without end (4.2.1).
 */
export class LineWriter implements DestinationStream {
  private lines = '';
  private unwritten: Buffer = Buffer.alloc(0);
  private state: 'idle' | 'waiting' | 'writing' = 'idle';
  private isFailing = false;

  constructor(private readonly descriptor: number) {
    process.on('exit', () => this.writeRest());
  }

  write(line: string): void {
    if (this.isFailing || this.lines.length + line.length > MAX_PENDING) droppedLines.inc();
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
    write(this.descriptor, this.unwritten, (error, written) => {
      this.isFailing = error !== null && error.code !== 'EAGAIN';
      this.unwritten = this.unwritten.subarray(error ? 0 : written);
      if (error) this.writeIn(RETRY_MS);
      else if (this.unwritten.length > 0) this.writeNext();
      else if (this.lines !== '') this.writeIn(GATHER_MS);
      else this.state = 'idle';
    });
  }

  private takeLines(): void {
    this.unwritten = Buffer.from(this.lines);
    this.lines = '';
  }

  /** Writes what is left when the process ends; a write in progress is finished by its thread. */
  private writeRest(): void {
    const giveUpAt = Date.now() + EXIT_TIMEOUT_MS;
    if (this.state === 'writing') this.takeLines();
    else this.unwritten = Buffer.concat([this.unwritten, Buffer.from(this.lines)]);
    while (this.unwritten.length > 0) {
      try {
        this.unwritten = this.unwritten.subarray(writeSync(this.descriptor, this.unwritten));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > giveUpAt) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GATHER_MS);
      }
    }
  }
}
