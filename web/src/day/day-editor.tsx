import { nameOf, useAccount } from '../account.js';
import { countText } from '../amounts.js';
import type { DayResponse } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { ChangesTable } from '../components/changes-table.js';
import { Dialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { overwritesOf } from '../data/changes.js';
import { shortDate } from '../dates.js';
import { hourText, inWords } from '../fields.js';
import { EditTable } from './edit-table.js';
import { type Correction, useCorrection } from './use-correction.js';

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
  const { base, draft, setDraft, changes, problem, faults, isBusy, meanwhile } = correction;
  const isReady = !isBusy && changes.length > 0 && faults.length === 0 && meanwhile.length === 0;
  return (
    <Card
      title={`Correcting ${shortDate(base.date)}`}
      note={`${countText(changes.length, 'figure')} changed, nothing is saved yet`}
      hasFocus={hasFocus}
      actions={
        <>
          <button type="button" disabled={isBusy} onClick={correction.discard}>
            Discard
          </button>
          <button
            type="button"
            class="primary"
            disabled={!isReady}
            onClick={() => void correction.check()}
          >
            Check {countText(correction.hours, 'hour')}
          </button>
        </>
      }
    >
      {meanwhile.length > 0 && <Meanwhile correction={correction} />}
      {[problem, ...faults].filter(Boolean).map((text) => (
        <p key={text} class="fault" role="alert">
          {text}
        </p>
      ))}
      <EditTable day={base} draft={draft} set={setDraft} />
      {correction.tried && <Confirmation correction={correction} tried={correction.tried} />}
    </Card>
  );
}

/** Tells that somebody else has changed the day meanwhile, with the difference. */
function Meanwhile({ correction: { meanwhile, takeOver } }: { correction: Correction }) {
  const go = (
    <button type="button" onClick={takeOver}>
      Go on from the new figures
    </button>
  );
  return (
    <div class="body">
      <Notice kind="warn" role="alert" actions={go}>
        The day has changed meanwhile: somebody else has sent it. What you typed is kept.
      </Notice>
      <ChangesTable label="Changed meanwhile" was="When you began" is="Now" changes={meanwhile} />
    </div>
  );
}

interface ConfirmationProps {
  readonly correction: Correction;
  readonly tried: NonNullable<Correction['tried']>;
}

/** Shows what would change and what looks wrong in it, and saves it. */
function Confirmation({ correction, tried }: ConfirmationProps) {
  const { base, hours, isBusy, save, back } = correction;
  const account = useAccount();
  const added = tried.changes.filter(({ before }) => before === null);
  const overwrites = overwritesOf(tried.changes);
  const of = `${nameOf(account, base.restaurant_id)}, ${shortDate(base.date)}`;
  return (
    <Dialog title={`Save ${countText(hours, 'hour')} of ${of}?`} close={back}>
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
          <button type="button" class="primary" disabled={isBusy} onClick={() => void save()}>
            Save {countText(hours, 'hour')}
          </button>
          <button type="button" disabled={isBusy} onClick={back}>
            Back
          </button>
        </p>
      </div>
    </Dialog>
  );
}
