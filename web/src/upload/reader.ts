import type { Surroundings } from '../../../src/sales/files/add-up.js';
import { reasonsToAsk, warningsOf } from '../../../src/sales/files/check-stored.js';
import { BUILT_IN_PROFILES, type Profile } from '../../../src/sales/files/profile.js';
import { readPlain } from '../api/service.js';
import type {
  Answer,
  Call,
  ChosenFile,
  Code,
  FileSummary,
  PagePlan,
  PlanOfTab,
} from './reader-worker.js';
import workerUrl from './reader-worker.ts?worker&url';

/** The steps of an import, which are loaded when the first file is chosen. */
export const reader = { read, plan, preview, profiles, reasonsToAsk, warningsOf };

export type Reader = typeof reader;

type OnProgress = (share: number) => void;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly progress: OnProgress | undefined;
}

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

async function read(chosen: ChosenFile, progress: OnProgress): Promise<FileSummary> {
  return call({ kind: 'read', chosen, profiles: await profiles() }, progress);
}

function plan(ids: readonly number[], around: Surroundings): Promise<PlanOfTab> {
  return call({ kind: 'plan', ids, around });
}

function preview(chosen: ChosenFile, profile: Profile, around: Surroundings): Promise<PagePlan> {
  return call({ kind: 'preview', chosen, profile, around });
}

/** Names of all profiles that may be chosen. */
export const profileNames = async (): Promise<string[]> =>
  [...(await profiles()), ...BUILT_IN_PROFILES].map(({ name }) => name);

/** Where browsers check which texts become scripts, this is the only one that the page admits. */
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const scriptUrl: unknown =
  trustedTypes
    ?.createPolicy('reader', { createScriptURL: () => workerUrl })
    .createScriptURL(workerUrl) ?? workerUrl;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): unknown };
}

let worker: Worker | undefined;
let lastCall = 0;
const waiting = new Map<number, Waiting>();

/** Files are read beside the page, so that a large one does not stop it. */
function call<Result>(work: Call['work'], progress?: OnProgress): Promise<Result> {
  worker ??= startWorker();
  const id = ++lastCall;
  worker.postMessage({ id, work } satisfies Call);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject, progress }));
}

function startWorker(): Worker {
  const started = new Worker(scriptUrl as string, { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => take(data));
  started.addEventListener('error', () => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(NOT_STARTED));
    waiting.clear();
  });
  return started;
}

const NOT_STARTED =
  'the part of the page that reads files has stopped: reload the page, or split the file';

function take({ id, share, result, error }: Answer): void {
  const { resolve, reject, progress } = waiting.get(id) ?? {};
  if (share !== undefined) {
    progress?.(share);
    return;
  }
  waiting.delete(id);
  if (error !== undefined) reject?.(new Error(error));
  else resolve?.(result as never);
}

export type { ChosenFile, Code, FileSummary, PagePlan, Profile, Surroundings };
