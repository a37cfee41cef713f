import { useEffect, useState } from 'preact/hooks';
import { countText } from '../amounts.js';
import { ApiError, post } from '../api/service.js';
import type { HourChange } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { ChangesTable } from '../components/changes-table.js';
import { Dialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { shortDate } from '../dates.js';
import { hourText, labelOf } from '../fields.js';
import { errorText } from '../use-load.js';
import { HOURS, overwritesOf, type Day } from './day-data.js';
import { changesOf, differencesOf, faultOf, isAsSeen, uploadJson, type Draft } from './draft.js';
import { EditTable } from './edit-table.js';

const SOURCE = 'by hand on the page';

interface DryRun {
  readonly changes: readonly HourChange[];
  readonly warnings: readonly { readonly message: string }[];
}

interface DayEditorProps {
  /** The day as it was read last; it may be newer than the one that is being corrected. */
  readonly current: Day;
  readonly reload: () => void;
  readonly close: () => void;
}

/**
 * Corrects the figures of a day through the ordinary upload. What is typed is first tried; it is
 * saved after it was shown, and only if the hours are still as they were when they were typed over.
 */
export function DayEditor({ current, reload, close }: DayEditorProps) {
  const [base, setBase] = useState(current);
  const [draft, setDraft] = useState<Draft>({});
  const [tried, setTried] = useState<DryRun>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(base, draft);
  const changed: Draft = Object.fromEntries(
    Object.entries(draft).filter(([hour]) => changes.some((change) => change.hour === hour)),
  );
  const faults = faultsOf(draft);
  const meanwhile = differencesOf(base, current);
  useAskBeforeLeaving(changes.length > 0);

  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem('');
    await work().catch((error: unknown) => {
      setTried(undefined);
      setProblem(problemText(error));
    });
    setBusy(false);
  };
  const dryRun = () =>
    post<DryRun>('/api/v1/sales/upload-daily', uploadJson(base, changed), {
      query: '?dry_run=true',
      source: SOURCE,
    });
  const check = () =>
    act(async () => {
      const result = await dryRun();
      if (isAsSeen(base, result.changes, changed)) setTried(result);
      else reload();
    });
  const save = () =>
    act(async () => {
      const result = await dryRun();
      if (!isAsSeen(base, result.changes, changed)) {
        setTried(undefined);
        reload();
        return;
      }
      await post('/api/v1/sales/upload-daily', uploadJson(base, changed), { source: SOURCE });
      setTried(undefined);
      close();
    });
  const hours = countText(Object.keys(changed).length, 'hour');
  return (
    <Card
      title={`Correcting ${shortDate(base.date)}`}
      note={`${countText(changes.length, 'figure')} changed, nothing is saved yet`}
      actions={
        <>
          <button type="button" disabled={isBusy} onClick={close}>
            Discard
          </button>
          <button
            type="button"
            class="primary"
            disabled={isBusy || changes.length === 0 || faults.length > 0 || meanwhile.length > 0}
            onClick={() => void check()}
          >
            Check {hours}
          </button>
        </>
      }
    >
      {meanwhile.length > 0 && (
        <div class="body">
          <Notice
            kind="warn"
            role="alert"
            actions={
              <button type="button" onClick={() => setBase(current)}>
                Go on from the new figures
              </button>
            }
          >
            The day has changed meanwhile: somebody else has sent it. What you typed is kept.
          </Notice>
          <ChangesTable
            label="Changed meanwhile"
            was="When you began"
            is="Now"
            changes={meanwhile}
          />
        </div>
      )}
      {problem && <p role="alert">{problem}</p>}
      {faults.map((fault) => (
        <p key={fault} role="alert">
          {fault}
        </p>
      ))}
      <EditTable day={base} draft={draft} set={setDraft} hours={HOURS} />
      {tried && (
        <Dialog title={`Save ${hours}?`} close={() => setTried(undefined)}>
          <ConfirmBody tried={tried} label={`Correction of ${shortDate(base.date)}`} />
          <p class="actions">
            <button type="button" class="primary" disabled={isBusy} onClick={() => void save()}>
              Save {hours}
            </button>
            <button type="button" disabled={isBusy} onClick={() => setTried(undefined)}>
              Back
            </button>
          </p>
        </Dialog>
      )}
    </Card>
  );
}

/** Shows what a dry run would change and what looks wrong in it. */
function ConfirmBody({ tried, label }: { tried: DryRun; label: string }) {
  const added = tried.changes.filter(({ before }) => before === null);
  const overwrites = overwritesOf(tried.changes);
  return (
    <div class="body">
      {added.length > 0 && (
        <p>New: {added.map(({ hour }) => hourText(hour)).join(', ')}, not sent before.</p>
      )}
      {tried.warnings.map(({ message }) => (
        <Notice key={message} kind="warn">
          {message}
        </Notice>
      ))}
      {overwrites.length > 0 && <ChangesTable label={label} changes={overwrites} />}
    </div>
  );
}

function faultsOf(draft: Draft): string[] {
  return Object.entries(draft).flatMap(([hour, typed]) =>
    Object.entries(typed).flatMap(([field, text]) => {
      const fault = faultOf(field, text);
      return fault === undefined ? [] : [`${hourText(hour)}, ${labelOf(field)} ${fault}.`];
    }),
  );
}

/** Says what to do where nobody knows whether the figures were saved. */
function problemText(error: unknown): string {
  if (error instanceof ApiError && error.isPassing)
    return `${error.message} What you typed is still here; saving it again does no harm.`;
  return errorText(error);
}

/** The browser asks before it closes a page with figures that are not saved. */
function useAskBeforeLeaving(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const ask = (event: Event): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isWanted]);
}
