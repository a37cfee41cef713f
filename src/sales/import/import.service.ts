import { Injectable } from '@nestjs/common';
import { CommandRejected, reasonOf } from '../../admin/admin.errors.js';
import { AccountDisabled } from '../../auth/login/login.errors.js';
import { addDays, BusinessCalendar } from '../../calendar/business-calendar.js';
import { ServerConfig } from '../../config/server.config.js';
import { isRejection } from '../../http/errors/service-error.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { UsersService } from '../../users/users.service.js';
import { FileProfilesService } from '../file-profiles/file-profiles.service.js';
import {
  type GivenTurnover,
  namesOf,
  type Plan,
  type PlannedDay,
  planUploads,
  type Surroundings,
} from '../files/add-up.js';
import { reasonsToAsk, warningsOf } from '../files/check-stored.js';
import type { ReadFile, ReadingOptions, SalesFile } from '../files/read-sales-file.js';
import { normalHeading } from '../files/table.js';
import { type Upload, uploadOf } from '../uploads/upload.js';
import { readUpload } from '../uploads/upload.pipe.js';
import { UploadsService } from '../uploads/uploads.service.js';

/** Characters of the names of files that the ledger keeps. */
const MAX_SOURCE = 200;
const MAX_REASONS = 10;
/** Dates that are longer ago are asked about. */
const OLD_DAYS = 62;

/** A day that was saved, or would be, and what should be known of it. */
export interface ImportedDay {
  readonly day: PlannedDay;
  readonly upload: Upload;
  /** The restaurant's name. */
  readonly name: string;
  /** Number of hours that are new or have other figures, and that replaced others. */
  readonly changed: number;
  readonly overwritten: number;
  readonly warnings: readonly string[];
}

export type ImportReport = Omit<Plan, 'days'> & { readonly days: readonly ImportedDay[] };

export interface ImportOptions extends Pick<Surroundings, 'allowFuture' | 'allowOld'> {
  readonly dryRun?: boolean;
  /** Name of the user; undefined for the only one there is. */
  readonly user?: string;
  /** Name of the profile that reads the files; undefined to recognize it. */
  readonly profile?: string;
  /** What is said of files that do not say it themselves. */
  readonly restaurant?: number;
  readonly date?: string;
  /** The restaurants of machines or codes that the files of one profile name. */
  readonly machine?: Readonly<Record<string, number>>;
  /** Whether hours of another source are replaced, and figures that no file has become 0. */
  readonly replace?: boolean;
}

/** Uploads files for a user; the DTO and the service of the upload route check and save. */
@Injectable()
export class ImportService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
    private readonly profiles: FileProfilesService,
    private readonly server: ServerConfig,
  ) {}

  /** Saves each file as a whole or not at all; a refused one does not stop the others. */
  async import(
    files: readonly SalesFile[],
    options: ImportOptions,
    turnovers: readonly GivenTurnover[],
  ): Promise<ImportReport> {
    // What reads files is loaded with the first import: a start and other commands do not need it.
    const { readSalesFile } = await import('../files/read-sales-file.js');
    const { profile, restaurant, date, machine = {}, allowFuture, allowOld } = options;
    const userId = await this.findUploader(options.user);
    const saved = await this.profiles.list();
    const reading: ReadingOptions = {
      profiles: saved.map((each) => ({ ...each.profile, name: each.name })),
      ...{ profile, given: { restaurant: restaurant?.toString(), date } },
      currency: this.server.CURRENCY,
    };
    const read: ReadFile[] = [];
    for (const file of files) read.push(await readSalesFile(file, reading));
    const today = this.calendar.today();
    const around: Surroundings = {
      ...{ turnovers, allowFuture, allowOld, everyDayIsGiven: true },
      restaurants: await this.restaurants.listVisible(userId),
      codes: codesOf(read, machine),
      earliestDate: addDays(today, -OLD_DAYS),
      latestDate: addDays(today, 1),
    };
    const { days, plan } = await this.check(read, around, userId, options);
    if (!options.dryRun) await this.save(days);
    return { ...plan, days };
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

  /** Previews every day. A file of a day that is refused is left out, and the rest planned anew. */
  private async check(
    files: readonly ReadFile[],
    around: Surroundings,
    userId: number,
    options: ImportOptions,
  ): Promise<{ days: ImportedDay[]; plan: Plan }> {
    const plan = planUploads(files, around);
    const days: ImportedDay[] = [];
    const faults = new Map<ReadFile, string[]>();
    for (const day of plan.days) {
      try {
        days.push(await this.preview(day, userId, options));
      } catch (error) {
        if (!isRejection(error)) throw error;
        const text = inLines(error.message, day);
        for (const file of day.files) faults.set(file, [...(faults.get(file) ?? []), text]);
      }
    }
    if (faults.size === 0) return { days, plan };
    const left = files.map((file) => ({ ...file, problems: faults.get(file) ?? file.problems }));
    return this.check(left, around, userId, options);
  }

  private async preview(
    day: PlannedDay,
    userId: number,
    { replace }: ImportOptions,
  ): Promise<ImportedDay> {
    const { records } = readUpload({ records: day.records });
    const sender = { userId, checksToken: false };
    const names = day.files.map(({ name }) => name).join(', ');
    const origin = { source: names.slice(0, MAX_SOURCE), importSource: day.source };
    const upload = uploadOf(records, sender, 'command line', origin);
    const preview = await this.uploads.previewDay(upload);
    const reasons = replace ? [] : reasonsToAsk(day, preview);
    if (reasons.length > 0)
      throw new CommandRejected(`${reasons.slice(0, MAX_REASONS).join('; ')} (--replace)`);
    return {
      day,
      upload: { ...upload, expectedVersion: preview.version },
      name: preview.name,
      warnings: warningsOf(day, preview),
      changed: preview.changes.length,
      overwritten: preview.changes.filter(({ before }) => before !== null).length,
    };
  }

  private async save(days: readonly ImportedDay[]): Promise<void> {
    for (const [index, { upload }] of days.entries())
      await this.uploads.uploadDay(upload).catch((error: unknown) => {
        const saved = days.slice(0, index).map(({ day }) => `${day.restaurantId} ${day.date}`);
        const done = `stopped after ${index} of ${days.length} days, safe to run again`;
        const which = saved.length > 0 ? ` (saved: ${saved.slice(0, 100).join(', ')})` : '';
        throw new Error(`${done}${which}: ${reasonOf(error)}`, { cause: error });
      });
  }
}

/** Returns the restaurants of machines for the only profile whose files name them. */
function codesOf(
  files: readonly ReadFile[],
  machines: NonNullable<ImportOptions['machine']>,
): NonNullable<Surroundings['codes']> {
  const names = new Set(Object.keys(machines).map(normalHeading));
  const naming = files.filter((file) =>
    namesOf(file).some((name) => names.has(normalHeading(name))),
  );
  const [profile = '', ...others] = new Set(naming.map((file) => file.profile!.name));
  if (others.length === 0) return new Map([[profile, machines]]);
  const all = [profile, ...others].join(' and ');
  throw new CommandRejected(
    `--machine: files of ${all} name these codes: import one profile's at a time`,
  );
}

/** Says in which line of a file a faulty record is. */
function inLines(message: string, { lines, date }: PlannedDay): string {
  const text = message.replace(/(?<=^|; )records\[(\d+)\]/g, (record, index) => {
    const at = lines[Number(index)];
    return at === undefined ? record : `line ${at.join(', ')}: ${record}`;
  });
  return text.includes(date) || text.includes('records[') ? text : `${date}: ${text}`;
}
