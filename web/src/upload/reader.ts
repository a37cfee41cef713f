import {
  findRestaurant,
  type Plan,
  planUploads,
  type Surroundings,
} from '../../../src/sales/files/add-up.js';
import { findForeignTills, warningsOf } from '../../../src/sales/files/check-stored.js';
import { BUILT_IN_PROFILES, type Profile } from '../../../src/sales/files/profile.js';
import { type ReadFile, readSalesFile } from '../../../src/sales/files/read-sales-file.js';
import { readPlain } from '../api/service.js';

/** A file that was chosen, and what a person said about it. */
export interface ChosenFile {
  readonly id: number;
  readonly file: File;
  /** The name of the profile that reads it; undefined to recognize it. */
  readonly profile?: string;
  readonly restaurant?: string;
  readonly date?: string;
}

/** The steps of an import, which are loaded when the first file is chosen. */
export const reader = { planUploads, findForeignTills, warningsOf, read, profiles, codesOf };

export type Reader = typeof reader;

let saved: Promise<Profile[]> | undefined;
const own: Profile[] = [];

/** The profiles that the service keeps, and those that were made in this tab. */
async function profiles(made?: Profile): Promise<Profile[]> {
  if (made) own.unshift(made);
  saved ??= readPlain<{ file_profiles: { name: string; profile: Omit<Profile, 'name'> }[] }>(
    '/api/v1/sales/file-profiles',
  ).then(({ file_profiles: all }) => all.map(({ name, profile }) => ({ ...profile, name })));
  const kept = await saved.catch((error: unknown) => {
    saved = undefined;
    throw error;
  });
  return [...own, ...kept.filter(({ name }) => own.every((each) => each.name !== name))];
}

async function read(chosen: ChosenFile): Promise<ReadFile> {
  const { file, profile, restaurant, date } = chosen;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const told = { ...(restaurant && { restaurant }), ...(date && { date }) };
  const options = { profiles: await profiles(), told, ...(profile && { profile }) };
  return readSalesFile({ name: file.name, bytes }, options);
}

/** Returns how files name restaurants that only a person can tell. */
function codesOf(files: readonly ReadFile[], around: Surroundings): string[] {
  const alone = { ...around, machines: new Map<string, number>() };
  const codes = files.flatMap(({ entries, profile }) => {
    const names = new Set(entries.map(({ restaurant }) => restaurant));
    return [...names].filter((name) => findRestaurant(name, profile, alone) === undefined);
  });
  return [...new Set(codes)];
}

/** Names of all profiles that may be chosen. */
export const profileNames = async (): Promise<string[]> =>
  [...(await profiles()), ...BUILT_IN_PROFILES].map(({ name }) => name);

export type { Plan, Profile, ReadFile, Surroundings };
