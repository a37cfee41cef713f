import { type Remote, wrap } from 'comlink';
import type { Surroundings } from '../../../src/sales/files/add-up.js';
import { BUILT_IN_PROFILES, isBuiltIn, type Profile } from '../../../src/sales/files/profile.js';
import { type Answer, withAnswer } from '../../../src/sales/files/question.js';
import { put, readPlain } from '../api/service.js';
import type { ChosenFile, Codes, FileSummary, Steps } from './reader-worker.js';
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
export function make(profile: Profile): void {
  own.set(profile.name, profile);
}

/** Saves a profile for everybody; its name is in the address. */
export const save = ({ name, ...profile }: Profile): Promise<unknown> =>
  put(addressOf(name), { profile });

/** Returns a profile with all its codes, which the list of all does not have. */
async function wholeOf(profile: Profile, load = once<Saved>): Promise<Profile> {
  const { name } = profile;
  if (own.has(name) || isBuiltIn(name)) return profile;
  return { ...(await load(addressOf(name))).profile, name };
}

/** Returns a profile, as the service has it just now, with an answer in it. */
export const answered = async (profile: Profile, answer: Answer): Promise<Profile> =>
  withAnswer(await wholeOf(profile, readPlain<Saved>), answer);

export async function read(chosen: ChosenFile, currency?: string): Promise<FileSummary> {
  const reading = { profiles: await profiles(), currency };
  const summary = await call((steps) => steps.read(chosen, reading));
  const { profile } = summary;
  return profile ? { ...summary, profile: await wholeOf(profile) } : summary;
}

export const plan = (ids: readonly number[], around: Surroundings, remembered: Codes) =>
  call((steps) => steps.plan(ids, around, remembered));

export const preview = (chosen: ChosenFile, profile: Profile, currency: string | undefined) =>
  call((steps) =>
    steps.preview({ ...chosen, profile: profile.name }, { profiles: [profile], currency }),
  );

export const profileNames = async (): Promise<string[]> =>
  [...(await profiles()), ...BUILT_IN_PROFILES].map(({ name }) => name);

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

let running: ReturnType<typeof start> | undefined;

function start() {
  const worker = new Worker(scriptUrl as string, { type: 'module' });
  const stopped = new Promise<never>((_resolve, reject) => {
    worker.onerror = () => {
      running = undefined;
      reject(new Error(STOPPED));
    };
  });
  return { steps: wrap<Steps>(worker), stopped };
}

/** Files are read beside the page, so that a large one does not stop it. */
function call<Result>(step: (steps: Remote<Steps>) => Promise<Result>): Promise<Result> {
  const { steps, stopped } = (running ??= start());
  return Promise.race([step(steps), stopped]);
}

export { reasonsToAsk, warningsOf } from '../../../src/sales/files/check-stored.js';
export { isBuiltIn };
