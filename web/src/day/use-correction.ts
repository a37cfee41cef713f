import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { ApiError, isPassing, post } from '../api/service.js';
import type { DayResponse, UploadResponse } from '../api/shapes.js';
import { errorText } from '../use-load.js';
import { changesOf, differencesOf, type Draft, faultsOf, uploadJson } from './draft.js';
import { draftKey, DraftsContext } from './drafts.js';

/** The ledger keeps where figures come from. */
const SOURCE = 'by hand on the page';

/** Sends the typed figures, tried or to be saved, if the day is still as it was when they were typed. */
function useSending(base: DayResponse, draft: Draft, reload: () => void) {
  const [tried, setTried] = useState<UploadResponse>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (dryRun: string, done: (response: UploadResponse) => void): Promise<void> => {
    setBusy(true);
    setProblem('');
    const query = `?expected_version=${base.version}${dryRun}`;
    const hours = new Set(changesOf(base, draft).map(({ hour }) => hour));
    const body = uploadJson(base, draft, [...hours]);
    await post<UploadResponse>('/api/v1/sales/upload-daily', body, { query, source: SOURCE }).then(
      done,
      (error: unknown) => {
        setTried(undefined);
        if (error instanceof ApiError && error.status === 409) reload();
        else setProblem(problemText(error));
      },
    );
    setBusy(false);
  };
  return { tried, setTried, problem, isBusy, send };
}

/** Keeps the figures that are typed over those of a day, also while other views are shown. */
export function useCorrection(current: DayResponse, reload: () => void, close: () => void) {
  const drafts = useContext(DraftsContext);
  const key = draftKey(current);
  const [base, setBase] = useState(drafts.get(key)?.base ?? current);
  const [draft, setDraft] = useState<Draft>(drafts.get(key)?.draft ?? {});
  const { tried, setTried, problem, isBusy, send } = useSending(base, draft, reload);
  /** The day as it was shown in the moment of saving; the editor stays until it was read again. */
  const [saved, setSaved] = useState<DayResponse>();
  const changes = changesOf(base, draft);
  const faults = faultsOf(draft);
  const hours = [...new Set(changes.map(({ hour }) => hour))];
  const isTyped = changes.length > 0 || faults.length > 0;
  /** What somebody else has changed since the figures were read. */
  const meanwhile = differencesOf(base, current);
  const takeOver = (): void => setBase(current);
  const leave = (): void => {
    drafts.delete(key);
    close();
  };
  useLayoutEffect(() => {
    if (isTyped) drafts.set(key, { base, draft });
    else drafts.delete(key);
  }, [base, draft]);
  useLayoutEffect(() => {
    if (saved && saved !== current) leave();
    else if (!isTyped || meanwhile.length === 0) takeOver();
  }, [current]);
  const save = (): Promise<void> =>
    send('', () => {
      setSaved(current);
      reload();
    });
  const discard = (): void => {
    if (!isTyped || confirm('Discard what you typed?')) leave();
  };
  const check = (): Promise<void> => send('&dry_run=true', setTried);
  const back = (): void => setTried(undefined);
  const figures = { base, draft, setDraft, changes, faults, hours, meanwhile, takeOver };
  return { ...figures, tried, problem, isBusy, check, save, back, discard };
}

export type Correction = ReturnType<typeof useCorrection>;

/** Says what to do where nobody knows whether the figures were saved. */
const problemText = (error: unknown): string =>
  isPassing(error)
    ? `${errorText(error)} What you typed is still here; saving it again does no harm.`
    : errorText(error);
