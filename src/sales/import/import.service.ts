import { Injectable } from '@nestjs/common';
import { AccountDisabled } from '../../auth/auth.errors.js';
import { Principal } from '../../auth/current-user.decorator.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import { ServiceError } from '../../http/errors/service-error.js';
import { validate } from '../../http/validation/request-validation.pipe.js';
import { UsersService } from '../../users/users.service.js';
import { HourRepeated, MachineNotAssigned, UserNotNamed } from '../sales.errors.js';
import { UploadDailyDto, type UploadResponse } from '../uploads/dto/upload-daily.dto.js';
import { uploadOf } from '../uploads/upload.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { MachinesService } from './machines.service.js';
import type { ParsedDay } from './parsed-file.js';

export interface FileDay extends ParsedDay {
  readonly file: string;
}

export interface ImportResult {
  readonly file: string;
  /** As far as they are known. */
  readonly restaurant: string;
  readonly date: string;
  /** valid: a dry run */
  readonly status: 'saved' | 'valid' | 'rejected';
  readonly message: string;
  readonly warnings: readonly string[];
}

export interface ImportOptions {
  /** Undefined: the only user there is. */
  readonly username: string | undefined;
  readonly isDryRun: boolean;
}

type Preview = Required<Pick<UploadResponse, 'changes' | 'warnings'>>;

/** Uploads parsed files in the name of a user. */
@Injectable()
export class ImportService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly machines: MachinesService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
  ) {}

  /** Yields a result per day; rejected days do not stop the others. */
  async *import(days: readonly FileDay[], { username, isDryRun }: ImportOptions): AsyncGenerator<ImportResult> {
    const caller = await this.authorize(username);
    const chosen = await this.machines.list(caller.userId);
    const restaurantOf = new Map(chosen.map(({ machine, restaurant_id }) => [machine, restaurant_id]));
    const fileOfHour = new Map<string, string>();
    for (const day of days) {
      try {
        const body = await toBody(day, restaurantOf);
        assertNotRepeated(body, day.file, fileOfHour);
        const result = isDryRun ? this.preview(body, caller) : this.save(body, caller);
        yield { ...describe(day), status: isDryRun ? 'valid' : 'saved', ...(await result) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        yield { ...describe(day), status: 'rejected', message: withLines(error.message, day), warnings: [] };
      }
    }
  }

  /** The statement that saves an upload checks its token; this one never leaves the process. */
  private async authorize(username: string | undefined): Promise<Principal> {
    const users = username === undefined ? await this.users.list() : [await this.users.get(username)];
    const [user, ...others] = users;
    if (!user || others.length > 0) throw new UserNotNamed(users.length);
    const token = await this.tokens.register(user);
    if (!token) throw new AccountDisabled();
    return new Principal(user.id, token.jti);
  }

  private async save({ records }: UploadDailyDto, caller: Principal) {
    await this.uploads.uploadDay(uploadOf(records, caller, 'command line'), caller);
    return { message: `hours saved: ${records.length}`, warnings: [] };
  }

  private async preview({ records }: UploadDailyDto, caller: Principal) {
    const { preview } = await this.uploads.previewDay(uploadOf(records, caller, 'command line'), caller);
    const { changes, warnings } = JSON.parse(preview) as Preview;
    const overwritten = changes.filter(({ before }) => before !== null).length;
    const message = `hours that would be saved: ${records.length}, changed: ${changes.length}, overwritten: ${overwritten}`;
    return { message, warnings: warnings.map((warning) => warning.message) };
  }
}

async function toBody(
  { machine, records }: FileDay,
  restaurantOf: ReadonlyMap<string, number>,
): Promise<UploadDailyDto> {
  const restaurant = machine === undefined ? undefined : restaurantOf.get(machine);
  if (machine !== undefined && restaurant === undefined) throw new MachineNotAssigned(machine);
  const sent = restaurant === undefined ? records : records.map((record) => ({ restaurant_id: restaurant, ...record }));
  return (await validate(UploadDailyDto, { records: sent }, 'body')) as UploadDailyDto;
}

/** A second file would overwrite what the first one has just saved. */
function assertNotRepeated({ records }: UploadDailyDto, file: string, fileOfHour: Map<string, string>): void {
  for (const { restaurant_id, date, hour } of records) {
    const key = `restaurant ${restaurant_id}, ${date}, hour ${hour}`;
    const earlier = fileOfHour.get(key);
    if (earlier !== undefined) throw new HourRepeated(key, earlier);
    fileOfHour.set(key, file);
  }
}

function describe({ file, machine, records }: FileDay): Pick<ImportResult, 'file' | 'restaurant' | 'date'> {
  const { restaurant_id: restaurant, date } = { ...records[0] };
  return { file, restaurant: machine === undefined ? textOf(restaurant) : `machine ${machine}`, date: textOf(date) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

/** `records[3].hour` becomes `line 5: hour`. */
function withLines(message: string, { lines }: FileDay): string {
  return message.replace(/\brecords\[(\d+)\]\.?/g, (path, index: string) => {
    const line = lines[Number(index)];
    return line === undefined ? path : `line ${line}: `;
  });
}
