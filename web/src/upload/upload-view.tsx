import { useState } from 'preact/hooks';
import { amountOf, amountText, countText } from '../amounts.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Heading } from '../components/heading.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { saveCsv } from '../export/csv.js';
import { NO_FIGURES } from '../fields.js';
import { FileCard } from './file-card.js';
import type { DayState, FileDay } from './file-days.js';
import { UploadDay } from './upload-day.js';
import type { Uploads } from './uploads.js';

/** How many days are shown at first, and more at a time: a file may have thousands. */
const DAYS_SHOWN = 50;

/** Uploads files of sales: the service checks them first, and then saves one day after another. */
export function UploadView({ uploads }: { uploads: Uploads }) {
  const { files, reading, add } = uploads;
  const days = [...uploads.days.values()];
  const shown = { uploads, days, isHeldBack: heldBackOf(days) };
  return (
    <>
      <Heading text="Upload">
        Upload days by hand: every file is checked before anything is saved
      </Heading>
      <DropZone add={add} />
      <p class="note no-print">
        No file yet?{' '}
        <Button class="link" act={saveTemplate}>
          Download a template
        </Button>{' '}
        to fill in with a spreadsheet.
      </p>
      {reading !== undefined && (
        <p role="status">
          Reading {reading}… <progress aria-label={`Reading ${reading}`} />
        </p>
      )}
      {files.map((file) => (
        <FileCard key={file.chosen.id} file={file} uploads={uploads} />
      ))}
      <MachineChooser uploads={uploads} />
      {files.length > 0 && <Actions {...shown} />}
      <Days {...shown} />
    </>
  );
}

/** Finds the days that cannot be uploaded as another day of their files cannot: a file is uploaded whole. */
function heldBackOf(days: readonly FileDay[]): (day: FileDay) => boolean {
  const isRefused = ({ state, typed = '', planned }: FileDay): boolean =>
    /rejected|foreign/.test(state.kind) || (typed !== '' && amountOf(typed) !== planned.turnover);
  const refused = days.filter(isRefused);
  const files = new Set(refused.flatMap(({ planned }) => planned.files.map(({ id }) => id)));
  return ({ planned }) => planned.files.some(({ id }) => files.has(id));
}

interface DaysProps {
  readonly days: readonly FileDay[];
  readonly isHeldBack: (day: FileDay) => boolean;
  readonly uploads: Uploads;
}

/** Shows the first days; of very many, those first that somebody must look at. */
function Days({ days, isHeldBack, uploads: { replace, compare } }: DaysProps) {
  const [shown, setShown] = useState(DAYS_SHOWN);
  const isBad = ({ state }: FileDay): boolean => /rejected|foreign|failed/.test(state.kind);
  const sorted =
    days.length > shown ? [...days.filter(isBad), ...days.filter((day) => !isBad(day))] : days;
  return (
    <>
      {sorted.slice(0, shown).map((day) => (
        <UploadDay key={day.id} day={day} isHeldBack={isHeldBack(day)} {...{ replace, compare }} />
      ))}
      {days.length > shown && (
        <Button act={() => setShown(shown + DAYS_SHOWN)}>
          Show more of {countText(days.length, 'day')}
        </Button>
      )}
    </>
  );
}

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
function MachineChooser({ uploads: { codes, remembered, assign } }: { uploads: Uploads }) {
  if (codes.length === 0) return null;
  return (
    <Card title="Which restaurant is it?">
      <div class="body asks">
        {codes.map((code) => {
          const { profile, name, files } = code;
          const others = files.length > 1 ? ` and ${countText(files.length - 1, 'other')}` : '';
          return (
            <RestaurantChoice
              key={`${profile} ${name}`}
              label={`${name} in ${files[0]}${others} is`}
              value={String(remembered[profile]?.[name] ?? '')}
              choose={(id) => assign(code, id)}
            />
          );
        })}
      </div>
    </Card>
  );
}

/** Uploads what is ready, shows how far it is, and tries again what failed. */
function Actions({ uploads, days, isHeldBack }: DaysProps) {
  const { files, run, clear, turnover, replace } = uploads;
  const having = (...kinds: DayState['kind'][]): FileDay[] =>
    days.filter(({ state }) => kinds.includes(state.kind));
  const [saved, failed, unchecked] = [having('saved'), having('failed'), having('unchecked')];
  const foreign = having('foreign');
  const ready = having('ready').filter((day) => !isHeldBack(day));
  const isBusy = having('sending', 'checking').length > 0;
  const button = (verb: string, chosen: readonly FileDay[], kind: 'checking' | 'sending') => (
    <Button
      class={verb === 'Upload' ? 'primary' : ''}
      isOff={isBusy || chosen.length === 0}
      act={() => run(chosen, kind)}
    >
      {verb} {countText(chosen.length, 'day')}
    </Button>
  );
  return (
    <div class="controls">
      {ready.length > 0 && button('Upload', ready, 'sending')}
      {failed.length > 0 && button('Retry', failed, 'sending')}
      {foreign.length > 1 && (
        <Button act={() => foreign.forEach(replace)}>
          Replace the stored hours of {countText(foreign.length, 'day')}
        </Button>
      )}
      {unchecked.length > 0 && button('Check', unchecked, 'checking')}
      <Button isOff={isBusy} act={clear}>
        Clear
      </Button>
      <span role="status">
        {saved.length} of {countText(days.length, 'day')} saved
        {failed.length > 0 && `, ${failed.length} failed`}
      </span>
      <span class="note">{countText(files.length, 'file')}</span>
      <span class="note">Turnover in all: {amountText(turnover)}</span>
    </div>
  );
}

/** Saves a file of our own format with its headings and one hour as an example. */
function saveTemplate(): void {
  const example = { restaurant_id: '101', date: '2026-01-31', hour: '12', ...NO_FIGURES };
  const columns = Object.entries(example).map(([label, value]) => {
    return { label, kind: 'count' as const, value: () => value };
  });
  saveCsv({ name: 'sales-template', columns, rows: [example] });
}
