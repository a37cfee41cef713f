import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { ApiError, isPassing, post } from '../api/service.js';
import type { DayResponse, UploadResponse } from '../api/shapes.js';
import { errorText, useAction } from '../use-load.js';
import {
  changesOf,
  differencesOf,
  type Draft,
  draftKey,
  DraftsContext,
  faultsOf,
  uploadJson,
} from './draft.js';

/** The ledger keeps where figures come from. */
const SOURCE = 'by hand on the page';

/** Sends the typed figures, tried or to be saved, if the day is still as it was when they were typed. */
function useSending(base: DayResponse, draft: Draft, reload: () => void) {
  const [tried, setTried] = useState<UploadResponse>();
  const { isBusy, problem, act } = useAction();
  const send = async (dryRun: string): Promise<UploadResponse | undefined> => {
    const query = `?expected_version=${base.version}${dryRun}`;
    const hours = new Set(changesOf(base, draft).map(({ hour }) => hour));
    const body = uploadJson(base, draft, [...hours]);
    try {
      return await post('/api/v1/sales/upload-daily', body, { query, source: SOURCE });
    } catch (error) {
      setTried(undefined);
      if (!(error instanceof ApiError && error.status === 409)) throw new Error(textOf(error));
      reload();
      return undefined;
    }
  };
  const check = (): Promise<void> => act(async () => setTried(await send('&dry_run=true')));
  const save = (done: () => void): Promise<void> =>
    act(async () => {
      if (await send('')) done();
    });
  return { tried, isBusy, problem, check, save, back: () => setTried(undefined) };
}

/** Keeps the figures that are typed over those of a day, also while other views are shown. */
export function useCorrection(current: DayResponse, reload: () => void, close: () => void) {
  const drafts = useContext(DraftsContext);
  const key = draftKey(current);
  const [base, setBase] = useState(drafts.get(key)?.base ?? current);
  const [draft, setDraft] = useState<Draft>(drafts.get(key)?.draft ?? {});
  const sending = useSending(base, draft, reload);
  /** The day as it was shown in the moment of saving; the editor stays until it was read again. */
  const [saved, setSaved] = useState<DayResponse>();
  const changes = changesOf(base, draft);
  const faults = faultsOf(draft);
  const hours = new Set(changes.map(({ hour }) => hour)).size;
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
    sending.save(() => {
      setSaved(current);
      reload();
    });
  const discard = (): void => {
    if (!isTyped || confirm('Discard what you typed?')) leave();
  };
  const figures = { base, draft, setDraft, changes, faults, hours, meanwhile, takeOver };
  return { ...figures, ...sending, save, discard };
}

export type Correction = ReturnType<typeof useCorrection>;

/** Says what to do where nobody knows whether the figures were saved. */
const textOf = (error: unknown): string =>
  errorText(error) +
  (isPassing(error) ? ' What you typed is still here; saving it again does no harm.' : '');
