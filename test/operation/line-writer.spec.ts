import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineWriter } from '../../src/logging/line-writer.js';
import { readMetric } from './read-metric.js';
import { eventually } from '../support/service-process.js';

describe("The log's writer", () => {
  const droppedLines = () => readMetric('log_lines_dropped_total');

  test('lines are dropped while a pipe has no reader, and none is torn when the next one reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sales-upload-fifo-'));
    const fifo = join(folder, 'log');
    execFileSync('mkfifo', [fifo]);
    let reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const descriptor = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    let text = '';
    const comes = (line: string) =>
      eventually(() => {
        const buffer = Buffer.alloc(1000);
        try {
          text += buffer.toString('utf8', 0, readSync(reader, buffer));
        } catch {
          return false; // nothing to read yet
        }
        return text.endsWith(line);
      }, line);
    try {
      const writer = new LineWriter(descriptor);
      writer.write('first\n');
      await comes('first\n');
      closeSync(reader);
      writer.write('kept\n');
      await eventually(async () => {
        writer.write('dropped\n');
        return (await droppedLines()) > 0;
      }, 'lines to be dropped');
      reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
      await eventually(async () => {
        const before = await droppedLines();
        writer.write('last\n');
        return (await droppedLines()) === before;
      }, 'lines to be taken');
      await comes('last\n');
      expect(text).toMatch(/^first\nkept\n(dropped\n)*last\n$/);
    } finally {
      closeSync(reader);
      closeSync(descriptor);
      rmSync(folder, { recursive: true });
    }
  });
});
