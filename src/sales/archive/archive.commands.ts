import { Injectable } from '@nestjs/common';
import { InvalidArgumentError } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { writeWhole } from '../../admin/output-file.js';
import { ArchiveService } from './archive.service.js';

@Injectable()
export class ArchiveCommands {
  constructor(private readonly archives: ArchiveService) {}

  @AdminCommand({
    name: 'sales archive',
    description:
      'Export the uploads of a past month that has a partition, and take it out of the tables, as their owner',
    arguments: [{ syntax: '<month>', description: 'YYYY-MM', parse: month }],
    options: [{ syntax: '--output <file>', description: 'the CSV file to write, all or nothing', required: true }],
  })
  async archive(month: string, { output }: { output: string }): Promise<CommandResult> {
    const { uploads, sha256 } = await this.archives.archive(month, (pieces) => writeWhole(output, pieces));
    const text = `${uploads} uploads of ${month} archived in ${output}, SHA-256 ${sha256}`;
    return { text, json: { month, uploads, sha256, output } };
  }
}

function month(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month, as YYYY-MM.');
  return text;
}
