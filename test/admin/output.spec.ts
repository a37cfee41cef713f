import { PassThrough, Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AdminCommand } from '../../src/admin/admin-command.decorator.js';
import type { CommandResult } from '../../src/admin/command-result.js';
import { findCommands } from '../../src/admin/find-commands.js';
import { runCommandLine } from '../../src/admin/run-command-line.js';

const read: number[] = [];

class EndlessCommands {
  @AdminCommand({ name: 'endless list', description: 'Never ends by itself' })
  async list(): Promise<CommandResult> {
    return Promise.resolve({ text: this.pieces(), json: null });
  }

  private async *pieces(): AsyncGenerator<string> {
    for (let piece = 1; ; piece++) {
      read.push(piece);
      yield await Promise.resolve(`${piece}\n`);
    }
  }
}

@Module({ providers: [EndlessCommands] })
class EndlessModule {}

/** Runs the command on an output that takes so many pieces and then fails. */
async function runOn(takes: number, code: string): Promise<{ status: number; stderr: string; open: boolean }> {
  read.length = 0;
  let left = takes;
  const stdout = new Writable({
    write: (_piece, _encoding, done) => done(left-- > 0 ? null : Object.assign(new Error(`write ${code}`), { code })),
  }).on('error', () => undefined);
  const stderr = new PassThrough();
  let open = true;
  const close = (): Promise<void> => Promise.resolve(void (open = false));
  const app = await Test.createTestingModule({ imports: [EndlessModule] }).compile();
  const terminal = { stdin: new PassThrough(), stdout, stderr };
  const status = await runCommandLine(await findCommands(EndlessModule), ['endless', 'list'], terminal, {
    open: () => Promise.resolve({ app, close }),
    record: () => Promise.resolve(),
    showsStacks: () => false,
  });
  return { status, stderr: String(stderr.read() ?? ''), open };
}

describe('An output that ends early', () => {
  test('is no failure if its reader left, and no more is produced', async () => {
    expect(await runOn(3, 'EPIPE')).toEqual({ status: 0, stderr: '', open: false });
    expect(read).toEqual([1, 2, 3, 4]);
  });

  test('is a failure where the disk is full', async () => {
    expect(await runOn(3, 'ENOSPC')).toEqual({ status: 1, stderr: 'write ENOSPC\n', open: false });
  });
});
