import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { isPassing, post } from '../api/service.js';
import { currentSession } from '../api/session.js';
import type { UploadResponse } from '../api/shapes.js';
import type { FieldChange } from '../components/changes-table.js';
import { errorText } from '../use-load.js';
import { type Day, loadUploads } from './day-data.js';
import {
  changedHours,
  changesOf,
  differencesOf,
  type Draft,
  faultsOf,
  isAsSeen,
  unseenOf,
  uploadJson,
} from './draft.js';
import { draftKey, DraftsContext } from './drafts.js';

/** The ledger keeps where figures come from. */
const SOURCE = 'by hand on the page';

/**
 * Keeps the figures that are typed over those of a day. They are tried first and saved then, both
 * times only if the hours are still as they were when they were typed over.
 */
export function useCorrection(current: Day, reload: () => void, close: () => void) {
  const { base, setBase, draft, setDraft, keep, forget } = useKept(current);
  const changes = changesOf(base, draft);
  const faults = faultsOf(draft);
  const changed = changedHours(draft, changes);
  const trial = useTrial(base, changed, { reload, close, forget });
  const isTyped = changes.length > 0 || faults.length > 0;
  useLayoutEffect(isTyped ? keep : forget, [base, draft]);
  const discard = (): void => {
    if (isTyped && !confirm('Discard what you typed?')) return;
    forget();
    close();
  };
  return {
    ...trial,
    base,
    draft,
    setDraft,
    changes,
    faults,
    discard,
    hours: Object.keys(changed).length,
    /** What somebody else has changed since the figures were read. */
    meanwhile: differencesOf(base, current),
    takeOver: () => setBase(current),
  };
}

/** What was typed over a day is still there when its view is left and shown again. */
function useKept(current: Day) {
  const drafts = useContext(DraftsContext);
  const key = draftKey(current);
  const kept = drafts.get(key);
  const [base, setBase] = useState(kept?.base ?? current);
  const [draft, setDraft] = useState<Draft>(kept?.draft ?? {});
  const keep = (): void => void drafts.set(key, { base, draft });
  const forget = (): void => void drafts.delete(key);
  return { base, setBase, draft, setDraft, keep, forget };
}

interface After {
  readonly reload: () => void;
  readonly close: () => void;
  readonly forget: () => void;
}

/** Tries an upload, and saves it if the hours are as they were seen; else the day is read again. */
function useTrial(base: Day, changed: Draft, { reload, close, forget }: After) {
  const [tried, setTried] = useState<UploadResponse>();
  const [replaced, setReplaced] = useState<readonly FieldChange[]>([]);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const act = async (work: (dryRun: UploadResponse) => void | Promise<void>): Promise<void> => {
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
    forget();
    const unseen = await findUnseen(base);
    setTried(undefined);
    setReplaced(unseen);
    if (unseen.length === 0) close();
  };
  const back = () => setTried(undefined);
  const [check, saveTried] = [() => act(setTried), () => act(save)];
  return { tried, replaced, problem, isBusy, check, save: saveTried, back };
}

/**
 * Returns what the upload that was just saved replaced though nobody had seen it: somebody else
 * sent it in the moment between the trial and the upload. The ledger keeps both.
 */
async function findUnseen(base: Day): Promise<FieldChange[]> {
  const uploads = await loadUploads(base.restaurant_id, base.date).catch(() => []);
  const username = currentSession()?.username;
  const own = uploads.find((each) => each.username === username && each.source === SOURCE);
  return unseenOf(base, own?.changes ?? []);
}

function sendDraft(day: Day, draft: Draft, query: string): Promise<UploadResponse> {
  return post('/api/v1/sales/upload-daily', uploadJson(day, draft), { query, source: SOURCE });
}

export type Correction = ReturnType<typeof useCorrection>;

/** Says what to do where nobody knows whether the figures were saved. */
function problemText(error: unknown): string {
  if (isPassing(error))
    return `${errorText(error)} What you typed is still here; saving it again does no harm.`;
  return errorText(error);
}
