import type { Surroundings } from '../../../src/sales/files/add-up.js';
import { reasonsToAsk, warningsOf } from '../../../src/sales/files/check-stored.js';
import { BUILT_IN_PROFILES, isBuiltIn, type Profile } from '../../../src/sales/files/profile.js';
import { profileFaults } from '../../../src/sales/files/profile-faults.js';
import { type Answer as Answered, withAnswer } from '../../../src/sales/files/question.js';
import { put, readPlain } from '../api/service.js';
import type { Answer, Call, ChosenFile, Codes, Steps } from './reader-worker.js';
import workerUrl from './reader-worker.ts?worker&url';

interface Saved {
  readonly name: string;
  readonly profile: Omit<Profile, 'name'>;
}

const PROFILES = '/api/v1/sales/file-profiles';
const addressOf = (name: string) => `${PROFILES}/${encodeURIComponent(name)}` as const;

/** What was read of the service; a failed reading is tried again. */
const kept = new Map<string, Promise<unknown>>();
/** The profiles that were made in this tab. */
const own = new Map<string, Profile>();

function once<Body>(path: typeof PROFILES | ReturnType<typeof addressOf>): Promise<Body> {
  const known = kept.get(path) ?? readPlain<Body>(path);
  kept.set(path, known);
  known.catch(() => kept.delete(path));
  return known as Promise<Body>;
}

/** The profiles that the service keeps, and those that were made in this tab. */
async function profiles(): Promise<Profile[]> {
  const { file_profiles: all } = await once<{ file_profiles: readonly Saved[] }>(PROFILES);
  const saved = all.map(({ name, profile }): Profile => ({ ...profile, name }));
  return [...own.values(), ...saved.filter(({ name }) => !own.has(name))];
}

/** Uses a profile in this tab, in place of one with its name. */
function make(profile: Profile): void {
  own.set(profile.name, profile);
}

/** Saves a profile for everybody; its name is in the address. */
async function save({ name, ...profile }: Profile): Promise<void> {
  const [fault] = profileFaults(profile);
  if (fault) throw new Error(`${fault.path} ${fault.text}`);
  await put(addressOf(name), { profile });
}

/** Returns a profile with an answer in it, and with all codes where the service keeps it. */
async function answered(profile: Profile, answer: Answered): Promise<Profile> {
  if (own.has(profile.name) || isBuiltIn(profile.name)) return withAnswer(profile, answer);
  const { profile: whole } = await readPlain<Saved>(addressOf(profile.name));
  return withAnswer({ ...whole, name: profile.name }, answer);
}

/** Returns the codes of a profile, which the list of all does not have. */
async function codesOf({ name, restaurant }: Profile): Promise<Readonly<Record<string, number>>> {
  if (own.has(name) || isBuiltIn(name)) return restaurant.codes ?? {};
  const { profile } = await once<Saved>(addressOf(name));
  return profile.restaurant.codes ?? {};
}

const read = async (chosen: ChosenFile, currency: string | undefined) =>
  call('read', [chosen, { profiles: await profiles(), currency }]);

const plan = (ids: readonly number[], around: Surroundings, remembered: Codes) =>
  call('plan', [ids, around, remembered]);

const preview = (chosen: ChosenFile, profile: Profile, currency: string | undefined) =>
  call('preview', [
    { ...chosen, profile: profile.name },
    { profiles: [profile], currency },
  ]);

const profileNames = async (): Promise<string[]> =>
  [...(await profiles()), ...BUILT_IN_PROFILES].map(({ name }) => name);

/** The steps of an import, which are loaded when the first file is chosen. */
export const reader = {
  ...{ read, plan, preview, make, save, answered, codesOf, profileNames },
  ...{ reasonsToAsk, warningsOf, isBuiltIn },
};

export type Reader = typeof reader;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): unknown };
}

/** Where browsers check which texts become scripts, this is the only one that the page admits. */
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const scriptUrl: unknown =
  trustedTypes
    ?.createPolicy('reader', { createScriptURL: () => workerUrl })
    .createScriptURL(workerUrl) ?? workerUrl;

const STOPPED =
  'the part of the page that reads files has stopped: reload the page, or split the file';

let worker: Worker | undefined;

/** Files are read beside the page, so that a large one does not stop it; each call has its answer. */
function call<Step extends keyof Steps>(
  step: Step,
  given: Call['given'],
): Promise<Awaited<ReturnType<Steps[Step]>>> {
  const running = (worker ??= new Worker(scriptUrl as string, { type: 'module' }));
  const { port1, port2 } = new MessageChannel();
  running.postMessage({ step, given } satisfies Call, [port2]);
  return new Promise((resolve, reject) => {
    running.addEventListener('error', () => {
      worker = undefined;
      reject(new Error(STOPPED));
    });
    port1.onmessage = ({ data: { result, error } }: MessageEvent<Answer>) => {
      port1.close();
      if (error === undefined) resolve(result as never);
      else reject(new Error(error));
    };
  });
}

export type { Profile, Surroundings };
