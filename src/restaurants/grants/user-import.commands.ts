import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { UserImportService } from './user-import.service.js';

interface Options {
  readonly passwords?: string;
  readonly dryRun?: boolean;
}

@Injectable()
export class UserImportCommands {
  constructor(private readonly service: UserImportService) {}

  @AdminCommand({
    name: 'user import',
    description: 'Add the users of a CSV file (username,restaurants[,password]), all or none',
    arguments: [new Argument('<file>', 'its restaurants are numbers such as 101 102, or all')],
    options: [
      new Option(
        '--passwords <file>',
        'the new file for passwords that are made where none is given',
      ),
      new Option('--dry-run', 'check the file, and save nothing'),
    ],
  })
  async importUsers(file: string, options: Options): Promise<CommandResult> {
    const { passwords, dryRun: isDryRun = false } = options;
    const onHashed = isDryRun || !process.stderr.isTTY ? () => undefined : showProgress;
    const users = await this.service.import(file, { passwordsFile: passwords, isDryRun, onHashed });
    const madeCount = users.filter(({ hasNewPassword }) => hasNewPassword).length;
    const written = madeCount > 0 && !isDryRun ? passwords! : null;
    const noun = users.length === 1 ? 'user' : 'users';
    const added = `${users.length} ${noun} ${isDryRun ? 'would be added' : 'added'}`;
    const hint = `; new passwords of ${madeCount} are in ${written}: hand them out and delete it`;
    return {
      text: written === null ? added : added + hint,
      json: {
        dry_run: isDryRun,
        users: users.map(({ username, restaurants, hasNewPassword }) => {
          return { username, restaurants, has_new_password: hasNewPassword };
        }),
        passwords: written,
      },
    };
  }
}

function showProgress(done: number, all: number): void {
  process.stderr.write(`\rpasswords hashed: ${done} of ${all}${done === all ? '\n' : ''}`);
}
