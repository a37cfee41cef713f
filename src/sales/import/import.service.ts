import { Injectable } from '@nestjs/common';
import { AccountDisabled } from '../../auth/login/login.errors.js';
import { ServiceError } from '../../http/errors/service-error.js';
import { validateDto } from '../../http/validation/request.pipe.js';
import { UsersService } from '../../users/users.service.js';
import { UploadDailyDto } from '../uploads/dto/upload-daily.dto.js';
import { uploadOf, type Upload } from '../uploads/upload.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { HourRepeated, MachineNotNamed, UserNotNamed } from './import.errors.js';
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

/** Uploads parsed files in the name of a user: checked by the route's DTO, saved by its service. */
@Injectable()
export class ImportService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly users: UsersService,
  ) {}

  /** Yields a result per day; rejected days do not stop the others. */
  async *import(
    days: readonly FileDay[],
    { username, machines, isDryRun }: ImportOptions,
  ): AsyncGenerator<ImportResult> {
    const userId = await this.findUploader(username);
    const fileOfHour = new Map<string, string>();
    for (const day of days) {
      try {
        const { records } = await validateDto(UploadDailyDto, {
          records: recordsOf(day, machines),
        });
        const upload = uploadOf(records, { userId, tokenId: null }, 'command line');
        assertNotRepeated(upload, day.file, fileOfHour);
        const result = isDryRun ? await this.preview(upload) : await this.save(upload);
        yield { ...describe(day), ...result };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const message = messageWithLines(error, day);
        yield { ...describe(day), status: 'rejected', message, warnings: [] };
      }
    }
  }

  private async findUploader(username: string | undefined): Promise<number> {
    const users =
      username === undefined ? await this.users.list() : [await this.users.get(username)];
    const [user, ...others] = users;
    if (!user || others.length > 0) throw new UserNotNamed(users.length);
    if (user.disabledAt !== null) throw new AccountDisabled();
    return user.id;
  }

  private async save(upload: Upload) {
    await this.uploads.uploadDay(upload);
    const message = `hours saved: ${upload.records.length}`;
    return { status: 'saved', message, warnings: [] } as const;
  }

  private async preview(upload: Upload) {
    const { changes, warnings } = await this.uploads.previewDay(upload);
    const overwritten = changes.filter(({ before }) => before !== null).length;
    const message = `hours that would be saved: ${upload.records.length}, changed: ${changes.length}, overwritten: ${overwritten}`;
    return { status: 'valid', message, warnings: warnings.map((each) => each.message) } as const;
  }
}

function recordsOf({ machine, records }: FileDay, machines: ReadonlyMap<string, number>) {
  if (machine === undefined) return records;
  const restaurant_id = machines.get(machine);
  if (restaurant_id === undefined) throw new MachineNotNamed(machine);
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
    if (earlier !== undefined) throw new HourRepeated(key, earlier);
    fileOfHour.set(key, file);
  }
}

function describe({ file, machine, records }: FileDay) {
  const { restaurant_id: restaurant, date } = { ...records[0] };
  return {
    file,
    restaurant: machine === undefined ? textOf(restaurant) : `machine ${machine}`,
    date: textOf(date),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

/** Says for each fault of a record in which line of the file it is. */
function messageWithLines({ message }: ServiceError, { lines }: FileDay): string {
  return message.replace(/(?<=^|; )records\[(\d+)\]/g, (record, index) => {
    const line = lines[Number(index)];
    return line === undefined ? record : `line ${line}: ${record}`;
  });
}
