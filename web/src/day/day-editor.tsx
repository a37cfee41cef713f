import { nameOf, useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { Card } from '../components/card.js';
import { ChangesTable } from '../components/changes-table.js';
import { Dialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { shortDate } from '../dates.js';
import { HOURS, hourText, inWords } from '../fields.js';
import { type Day, overwritesOf } from './day-data.js';
import { EditTable } from './edit-table.js';
import { type Correction, useCorrection } from './use-correction.js';

interface DayEditorProps {
  /** The day as it was read last; it may be newer than the one that is being corrected. */
  readonly current: Day;
  readonly reload: () => void;
  readonly close: () => void;
  /** Whether the editor was opened by a click, and takes the focus. */
  readonly hasFocus: boolean;
}

/** Corrects the figures of a day through the ordinary upload, after what it would change is shown. */
export function DayEditor({ current, reload, close, hasFocus }: DayEditorProps) {
  const correction = useCorrection(current, reload, close);
  const { base, draft, setDraft, changes, problem, faults, replaced } = correction;
  if (replaced.length > 0) return <Replaced correction={correction} close={close} />;
  return (
    <Card
      title={`Correcting ${shortDate(base.date)}`}
      note={`${countText(changes.length, 'figure')} changed, nothing is saved yet`}
      hasFocus={hasFocus}
      actions={<Actions correction={correction} />}
    >
      <Meanwhile correction={correction} />
      {[problem, ...faults].filter(Boolean).map((text) => (
        <p key={text} class="fault" role="alert">
          {text}
        </p>
      ))}
      <EditTable day={base} draft={draft} set={setDraft} hours={HOURS} />
      <Confirmation correction={correction} />
    </Card>
  );
}

interface PartProps {
  readonly correction: Correction;
}

function Actions({ correction }: PartProps) {
  const { isBusy, changes, faults, meanwhile, hours, check, discard } = correction;
  const isReady = !isBusy && changes.length > 0 && faults.length === 0 && meanwhile.length === 0;
  return (
    <>
      <button type="button" disabled={isBusy} onClick={discard}>
        Discard
      </button>
      <button type="button" class="primary" disabled={!isReady} onClick={() => void check()}>
        Check {countText(hours, 'hour')}
      </button>
    </>
  );
}

/** Tells that somebody else has changed the day meanwhile, with the difference. */
function Meanwhile({ correction: { meanwhile, takeOver } }: PartProps) {
  if (meanwhile.length === 0) return null;
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

/** Tells that somebody else sent the same hours in the moment of saving, with the difference. */
function Replaced({
  correction: { replaced, base },
  close,
}: PartProps & Pick<DayEditorProps, 'close'>) {
  const done = (
    <button type="button" onClick={close}>
      Show the day
    </button>
  );
  return (
    <Card title={`${shortDate(base.date)} is saved`} hasFocus>
      <div class="body">
        <Notice kind="warn" role="alert" actions={done}>
          Somebody else sent these hours in the same moment, and your figures have replaced theirs.
          Both are kept below Uploads; look whether theirs were right.
        </Notice>
        <ChangesTable
          label="Replaced"
          was="When you began"
          is="Sent by others"
          changes={replaced}
        />
      </div>
    </Card>
  );
}

/** Shows what would change and what looks wrong in it, and saves it. */
function Confirmation({ correction }: PartProps) {
  const { base, tried, hours, isBusy, save, back } = correction;
  const account = useAccount();
  if (!tried) return null;
  const added = tried.changes.filter(({ before }) => before === null);
  const overwrites = overwritesOf(tried.changes);
  const of = `${nameOf(account, base.restaurant_id)}, ${shortDate(base.date)}`;
  const title = `Save ${countText(hours, 'hour')} of ${of}?`;
  return (
    <Dialog title={title} close={back}>
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
