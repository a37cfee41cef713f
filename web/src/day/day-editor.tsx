import { useLayoutEffect, useState } from 'preact/hooks';
import { nameOf, useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { ApiError, isPassing, upload } from '../api/service.js';
import type { DayResponse, UploadResponse } from '../api/shapes.js';
import { Button } from '../components/button.js';
import { Card, Notice } from '../components/card.js';
import { ChangesTable, overwritesOf } from '../components/changes-table.js';
import { Dialog } from '../components/dialog.js';
import { shortDate } from '../dates.js';
import { hourText, inWords } from '../fields.js';
import { errorText, useAction } from '../use-action.js';
import {
  changesOf,
  differencesOf,
  type Draft,
  draftKey,
  drafts,
  faultsOf,
  uploadJson,
} from './draft.js';
import { EditTable } from './edit-table.js';

interface DayEditorProps {
  /** The day as it was read last; it may be newer than the one that is being corrected. */
  readonly current: DayResponse;
  readonly reload: () => void;
  readonly close: () => void;
  /** Whether the editor was opened by a click, and takes the focus. */
  readonly hasFocus: boolean;
}

/** Corrects the figures of a day through the ordinary upload, after what it would change is shown. */
export function DayEditor({ current, reload, close, hasFocus }: DayEditorProps) {
  const correction = useCorrection(current, reload, close);
  const { base, draft, changes, problem, faults, isBusy, meanwhile } = correction;
  const isReady = !isBusy && changes.length > 0 && faults.length === 0 && meanwhile.length === 0;
  return (
    <Card
      title={`Correcting ${shortDate(base.date)}`}
      note={`${countText(changes.length, 'figure')} changed, nothing is saved yet`}
      hasFocus={hasFocus}
      actions={
        <>
          <Button isOff={isBusy} act={correction.discard}>
            Discard
          </Button>
          <Button class="primary" isOff={!isReady} act={() => correction.send(true)}>
            Check {countText(correction.hours.length, 'hour')}
          </Button>
        </>
      }
    >
      {meanwhile.length > 0 && <Meanwhile correction={correction} />}
      {[problem, ...faults].filter(Boolean).map((text) => (
        <p key={text} class="fault" role="alert">
          {text}
        </p>
      ))}
      <EditTable day={base} draft={draft} set={correction.type} />
      <Confirmation correction={correction} />
    </Card>
  );
}

/** Tells that somebody else has changed the day meanwhile, with the difference. */
function Meanwhile({ correction: { meanwhile, takeOver } }: { correction: Correction }) {
  const go = <Button act={takeOver}>Go on from the new figures</Button>;
  return (
    <div class="body">
      <Notice kind="warn" role="alert" actions={go}>
        The day has changed meanwhile: somebody else has sent it. What you typed is kept.
      </Notice>
      <ChangesTable label="Changed meanwhile" was="When you began" is="Now" changes={meanwhile} />
    </div>
  );
}

/** Shows what would change and what looks wrong in it, and saves it. */
function Confirmation({ correction }: { correction: Correction }) {
  const account = useAccount();
  const { base, hours, tried, isBusy, send, back } = correction;
  if (!tried) return null;
  const added = tried.changes.filter(({ before }) => before === null);
  const overwrites = overwritesOf(tried.changes);
  const of = `${nameOf(account, base.restaurant_id)}, ${shortDate(base.date)}`;
  return (
    <Dialog title={`Save ${countText(hours.length, 'hour')} of ${of}?`} close={back}>
      <div class="body">
        {added.length > 0 && (
          <p>Not sent before: {added.map(({ hour }) => hourText(hour)).join(', ')}.</p>
        )}
        {tried.warnings.map(({ message }) => (
          <Notice key={message} kind="warn">
            {inWords(message)}
          </Notice>
        ))}
        {overwrites.length > 0 && (
          <ChangesTable label={`Correction of ${shortDate(base.date)}`} changes={overwrites} />
        )}
        <p class="actions">
          <Button class="primary" isOff={isBusy} act={() => send(false)}>
            Save {countText(hours.length, 'hour')}
          </Button>
          <Button isOff={isBusy} act={back}>
            Back
          </Button>
        </p>
      </div>
    </Dialog>
  );
}

/** The ledger keeps where figures come from. */
const SOURCE = 'by hand on the page';

/** Keeps the figures that are typed over those of a day, also while other views are shown. */
function useCorrection(current: DayResponse, reload: () => void, close: () => void) {
  const key = draftKey(current);
  const [kept, keep] = useState(drafts.get(key) ?? { base: current, draft: {} });
  const [tried, setTried] = useState<UploadResponse>();
  /** The day as it was shown in the moment of saving; the editor stays until it was read again. */
  const [saved, setSaved] = useState<DayResponse>();
  const { isBusy, problem, act } = useAction();
  const { base, draft } = kept;
  const changes = changesOf(base, draft);
  const faults = faultsOf(draft);
  const hours = [...new Set(changes.map(({ hour }) => hour))];
  const isTyped = changes.length > 0 || faults.length > 0;
  const meanwhile = differencesOf(base, current);
  const takeOver = (): void => keep({ base: current, draft });
  const leave = (): void => {
    drafts.delete(key);
    close();
  };
  useLayoutEffect(() => {
    if (isTyped) drafts.set(key, kept);
    else drafts.delete(key);
  }, [kept]);
  useLayoutEffect(() => {
    if (saved && saved !== current) leave();
    else if (!isTyped || meanwhile.length === 0) takeOver();
  }, [current]);
  /** Tries or saves what was typed, if the day is still as it was then. */
  const send = (isTry: boolean): Promise<void> =>
    act(async () => {
      const query = { expected_version: base.version, dry_run: isTry };
      try {
        const response = await upload(uploadJson(base, draft, hours), query, SOURCE);
        if (isTry) {
          setTried(response);
          return;
        }
        setSaved(current);
      } catch (error) {
        setTried(undefined);
        if (!(error instanceof ApiError && error.status === 409)) throw new Error(textOf(error));
      }
      reload();
    });
  return {
    ...{ base, draft, changes, faults, hours, meanwhile, tried, isBusy, problem, takeOver, send },
    type: (typed: Draft) => keep({ base, draft: typed }),
    back: () => setTried(undefined),
    discard: () => {
      if (!isTyped || confirm('Discard what you typed?')) leave();
    },
  };
}

type Correction = ReturnType<typeof useCorrection>;

/** Says what to do where nobody knows whether the figures were saved. */
const textOf = (error: unknown): string =>
  errorText(error) +
  (isPassing(error) ? ' What you typed is still here; saving it again does no harm.' : '');
