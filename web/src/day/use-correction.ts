import { useState } from 'preact/hooks';
import { ApiError, post } from '../api/service.js';
import type { HourChange } from '../api/shapes.js';
import { errorText } from '../use-load.js';
import type { Day } from './day-data.js';
import {
  changedHours,
  changesOf,
  differencesOf,
  isAsSeen,
  uploadJson,
  type Draft,
} from './draft.js';

/** The ledger keeps where figures come from. */
const SOURCE = 'by hand on the page';

/** What an upload would change, and what looks wrong in it. */
export interface DryRun {
  readonly changes: readonly HourChange[];
  readonly warnings: readonly { readonly message: string }[];
}

/**
 * Keeps the figures that are typed over those of a day. They are tried first and saved then, both
 * times only if the hours are still as they were when they were typed over.
 */
export function useCorrection(current: Day, reload: () => void, close: () => void) {
  const [base, setBase] = useState(current);
  const [draft, setDraft] = useState<Draft>({});
  const changes = changesOf(base, draft);
  const changed = changedHours(draft, changes);
  const trial = useTrial(base, changed, reload, close);
  return {
    ...trial,
    base,
    draft,
    setDraft,
    changes,
    hours: Object.keys(changed).length,
    /** What somebody else has changed since the figures were read. */
    meanwhile: differencesOf(base, current),
    takeOver: () => setBase(current),
  };
}

/** Tries an upload, and saves it if the hours are as they were seen; else the day is read again. */
function useTrial(base: Day, changed: Draft, reload: () => void, close: () => void) {
  const [tried, setTried] = useState<DryRun>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const act = async (work: (dryRun: DryRun) => void | Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const dryRun = await sendDraft(base, changed, '?dry_run=true');
      if (isAsSeen(base, dryRun.changes, changed)) await work(dryRun);
      else {
        setTried(undefined);
        reload();
      }
    } catch (error) {
      setTried(undefined);
      setProblem(problemText(error));
    }
    setBusy(false);
  };
  const save = async (): Promise<void> => {
    await sendDraft(base, changed, '');
    close();
  };
  const back = () => setTried(undefined);
  return { tried, problem, isBusy, check: () => act(setTried), save: () => act(save), back };
}

function sendDraft(day: Day, draft: Draft, query: string): Promise<DryRun> {
  return post('/api/v1/sales/upload-daily', uploadJson(day, draft), { query, source: SOURCE });
}

export type Correction = ReturnType<typeof useCorrection>;

/** Says what to do where nobody knows whether the figures were saved. */
function problemText(error: unknown): string {
  if (error instanceof ApiError && error.isPassing)
    return `${error.message} What you typed is still here; saving it again does no harm.`;
  return errorText(error);
}
