import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { Card } from '../components/card.js';
import { Switch } from '../components/choices.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { Heading } from '../route.js';
import { FileCard } from './file-card.js';
import type { DayState, FileDay } from './file-days.js';
import { saveTemplate } from './template.js';
import { UploadDay } from './upload-day.js';
import type { Uploads } from './uploads.js';

/** How many days are shown at first, and more at a time: a file may have thousands. */
const DAYS_SHOWN = 50;

/** Uploads files of sales: the service checks them first, and then saves one day after another. */
export function UploadView({ uploads }: { uploads: Uploads }) {
  const { files, reading, add, replace, allow, allowFuture } = uploads;
  const days = [...uploads.days.values()];
  const held = heldBackFiles(days);
  const isFuture = allowFuture || files.some(({ problems }) => problems.some(isOfFuture));
  return (
    <>
      <Heading text="Files">
        Upload days by hand: every file is checked before anything is saved
      </Heading>
      <DropZone add={add} />
      <Template />
      {reading !== undefined && <Reading {...reading} />}
      {files.map((file) => (
        <FileCard key={file.chosen.id} file={file} uploads={uploads} />
      ))}
      {isFuture && <Switch label="Take days in the future" isOn={allowFuture} set={allow} />}
      <MachineChooser uploads={uploads} />
      {days.length > 0 && <Actions uploads={uploads} days={days} held={held} />}
      <Days days={days} held={held} replace={replace} />
    </>
  );
}

/** Numbers of files of which a day is rejected: their other days stay behind, as a file is uploaded whole. */
type HeldBack = ReadonlySet<number>;

function heldBackFiles(days: readonly FileDay[]): HeldBack {
  const refused = days.filter(({ state }) => /rejected|foreign/.test(state.kind));
  return new Set(refused.flatMap(({ planned }) => planned.files.map(({ id }) => id)));
}

const isHeldBack = ({ planned }: FileDay, held: HeldBack): boolean =>
  planned.files.some(({ id }) => held.has(id));

interface DaysProps {
  readonly days: readonly FileDay[];
  readonly held: HeldBack;
  readonly replace: (day: FileDay) => void;
}

/** Shows the first days; of very many, those first that somebody must look at. */
function Days({ days, held, replace }: DaysProps) {
  const [shown, setShown] = useState(DAYS_SHOWN);
  const isBad = ({ state }: FileDay): boolean => /rejected|foreign|failed/.test(state.kind);
  const sorted =
    days.length > shown ? [...days.filter(isBad), ...days.filter((day) => !isBad(day))] : days;
  return (
    <>
      {sorted.slice(0, shown).map((day) => (
        <UploadDay key={day.id} day={day} isHeldBack={isHeldBack(day, held)} replace={replace} />
      ))}
      {days.length > shown && (
        <button type="button" onClick={() => setShown(shown + DAYS_SHOWN)}>
          Show more of {countText(days.length, 'day')}
        </button>
      )}
    </>
  );
}

function Template() {
  return (
    <p class="note no-print">
      No file yet?{' '}
      <button type="button" class="link" onClick={saveTemplate}>
        Download a template
      </button>{' '}
      to fill in with a spreadsheet.
    </p>
  );
}

function Reading({ name, share }: NonNullable<Uploads['reading']>) {
  return (
    <p role="status">
      Reading {name}… <progress value={share} aria-label={`Reading ${name}`} />
    </p>
  );
}

const isOfFuture = (problem: string): boolean => problem.includes('is in the future');

function DropZone({ add }: Pick<Uploads, 'add'>) {
  const [isOver, setOver] = useState(false);
  const addList = (list: FileList | null | undefined): void => add([...(list ?? [])]);
  const drag = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') addList(event.dataTransfer?.files);
  };
  return (
    <label
      class={`drop no-print ${isOver ? 'over' : ''}`}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
    >
      <strong>Drop files here or choose them</strong>
      <span class="note">
        CSV, Excel (xlsx), the text files of tills and malls, or JSON; all tills of a restaurant
        together
      </span>
      <input
        type="file"
        multiple
        accept=".json,.csv,.txt,.tsv,.rpt,.xlsx,text/*,application/json"
        onChange={({ currentTarget }) => {
          addList(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Asks which restaurant a file speaks of; the browser remembers it, and it can be changed. */
function MachineChooser({ uploads }: { uploads: Uploads }) {
  const { known } = useAccount();
  const { codes, machines, assign } = uploads;
  if (codes.length === 0) return null;
  return (
    <Card title="Which restaurant is it?">
      <div class="body asks">
        {codes.map(({ name, files }) => {
          const chosen = machines[name] ?? (known.has(name) ? name : '');
          const others = files.length > 1 ? ` and ${countText(files.length - 1, 'other')}` : '';
          return (
            <RestaurantChoice
              key={name}
              label={`${name} in ${files[0]}${others} is`}
              value={chosen}
              choose={(id) => assign(name, id)}
            />
          );
        })}
      </div>
    </Card>
  );
}

interface ActionsProps {
  readonly uploads: Uploads;
  readonly days: readonly FileDay[];
  readonly held: HeldBack;
}

/** Uploads what is ready, shows how far it is, and tries again what failed. */
function Actions({ uploads, days, held }: ActionsProps) {
  const { files, run, clear, turnover } = uploads;
  const having = <Kind extends DayState['kind']>(kind: Kind) =>
    days.flatMap(({ id, state }) =>
      state.kind === kind ? [{ id, state: state as DayState & { kind: Kind } }] : [],
    );
  const [saved, failed, unchecked] = [having('saved'), having('failed'), having('unchecked')];
  const ready = having('ready').filter(({ id }) => !isHeldBack(uploads.days.get(id)!, held));
  const isBusy = having('sending').length + having('checking').length > 0;
  const button = (verb: string, chosen: readonly Pick<FileDay, 'id' | 'state'>[]) => (
    <button
      type="button"
      class={verb === 'Upload' ? 'primary' : ''}
      disabled={isBusy || chosen.length === 0}
      onClick={() => run(chosen)}
    >
      {verb} {countText(chosen.length, 'day')}
    </button>
  );
  const sent = (chosen: typeof ready | typeof failed) =>
    chosen.map(({ id, state: { version } }) => ({
      id,
      state: { kind: 'sending', version } as const,
    }));
  const checked = unchecked.map(({ id }) => ({ id, state: { kind: 'checking' } as const }));
  return (
    <div class="controls">
      {button('Upload', sent(ready))}
      {failed.length > 0 && button('Retry', sent(failed))}
      {unchecked.length > 0 && button('Check', checked)}
      <button type="button" disabled={isBusy} onClick={clear}>
        Clear
      </button>
      <span role="status">
        {saved.length} of {countText(days.length, 'day')} saved
        {failed.length > 0 && `, ${failed.length} failed`}
      </span>
      <span class="note">{countText(files.length, 'file')}</span>
      <span class="note">Turnover in all: {amountText(turnover)}</span>
    </div>
  );
}
