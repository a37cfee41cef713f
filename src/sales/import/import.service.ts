import { Injectable } from '@nestjs/common';
import { CommandRejected, reasonOf } from '../../admin/admin.errors.js';
import { AccountDisabled } from '../../auth/login/login.errors.js';
import { isRejection } from '../../http/errors/service-error.js';
import { validateDto } from '../../http/validation/request.pipe.js';
import { UsersService } from '../../users/users.service.js';
import { UploadDailyDto } from '../uploads/dto/upload-daily.dto.js';
import { uploadOf, type Upload } from '../uploads/upload.js';
import { UploadsService } from '../uploads/uploads.service.js';
import type { ParsedDay } from './parse-sales-file.js';

export interface FileDay extends ParsedDay {
  readonly file: string;
}

export interface ImportResult {
  readonly file: string;
  /** Restaurant and date, as far as they are known. */
  readonly restaurant: string;
  readonly date: string;
  /** A day of a dry run is `valid` instead of `saved`. */
  readonly status: 'saved' | 'valid' | 'rejected';
  readonly message: string;
  readonly warnings: readonly string[];
}

export interface ImportOptions {
  /** Name of the user; undefined for the only one there is. */
  readonly username: string | undefined;
  /** The restaurant of each machine that files name. */
  readonly machines: ReadonlyMap<string, number>;
  readonly isDryRun: boolean;
}

/** Uploads parsed files for a user; the DTO and the service of the upload route check and save. */
@Injectable()
export class ImportService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly users: UsersService,
  ) {}

  /** Returns a result per day; rejected days do not stop the others. */
  async import(days: readonly FileDay[], options: ImportOptions): Promise<ImportResult[]> {
    const userId = await this.findUploader(options.username);
    const fileOfHour = new Map<string, string>();
    const results: ImportResult[] = [];
    for (const day of days) {
      const { file, machine, records } = day;
      const first: ParsedDay['records'][number] = records[0] ?? {};
      const { restaurant_id = '?', date = '?' } = first;
      const restaurant = machine === undefined ? String(restaurant_id) : `machine ${machine}`;
      const outcome = await this.importDay(day, userId, options, fileOfHour).catch(
        (error: unknown) => {
          if (isRejection(error)) return rejected(error, day);
          const done = `stopped after ${results.length} of ${days.length} days, safe to run again`;
          throw new Error(`${done}: ${reasonOf(error)}`, { cause: error });
        },
      );
      results.push({ file, restaurant, date: String(date), ...outcome });
    }
    return results;
  }

  private async findUploader(username: string | undefined): Promise<number> {
    const users =
      username === undefined ? await this.users.list() : [await this.users.get(username)];
    const [user, ...others] = users;
    if (!user || others.length > 0)
      throw new CommandRejected(
        `there are ${users.length} users: name the one who uploads with --user`,
      );
    if (user.disabledAt !== null) throw new AccountDisabled();
    return user.id;
  }

  private async importDay(
    day: FileDay,
    userId: number,
    { machines, isDryRun }: ImportOptions,
    fileOfHour: Map<string, string>,
  ) {
    const { records } = await validateDto(UploadDailyDto, { records: recordsOf(day, machines) });
    const upload = uploadOf(records, { userId, checksToken: false }, 'command line', day.file);
    assertNotRepeated(upload, day.file, fileOfHour);
    if (!isDryRun) {
      await this.uploads.uploadDay(upload);
      return { status: 'saved', message: `hours saved: ${records.length}`, warnings: [] } as const;
    }
    const { changes, warnings } = await this.uploads.previewDay(upload);
    const overwritten = changes.filter(({ before }) => before !== null).length;
    const message = `hours that would be saved: ${records.length}, changed: ${changes.length}, overwritten: ${overwritten}`;
    return { status: 'valid', message, warnings: warnings.map((each) => each.message) } as const;
  }
}

function recordsOf({ machine, records }: FileDay, machines: ImportOptions['machines']) {
  if (machine === undefined) return records;
  const restaurant_id = machines.get(machine);
  if (restaurant_id === undefined)
    throw new CommandRejected(
      `which restaurant is machine ${machine}? Name it: --machine ${machine}=ID`,
    );
  return records.map((record) => ({ restaurant_id, ...record }));
}

/** Rejects an hour that two files have: the second would overwrite what the first saved. */
function assertNotRepeated(
  { restaurantId, date, records }: Upload,
  file: string,
  fileOfHour: Map<string, string>,
): void {
  for (const { hour } of records) {
    const key = `restaurant ${restaurantId}, ${date}, hour ${hour}`;
    const earlier = fileOfHour.get(key);
    if (earlier !== undefined)
      throw new CommandRejected(`${key} is also in ${earlier}: import one of the two`);
    fileOfHour.set(key, file);
  }
}

/** Makes the result of a rejected day; its message says in which line of the file a record is. */
function rejected({ message }: Error, { lines }: FileDay) {
  const text = message.replace(/(?<=^|; )records\[(\d+)\]/g, (record, index) => {
    const line = lines[Number(index)];
    return line === undefined ? record : `line ${line}: ${record}`;
  });
  return { status: 'rejected', message: text, warnings: [] } as const;
}
