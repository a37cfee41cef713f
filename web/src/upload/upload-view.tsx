import { useState } from 'preact/hooks';
import { RestaurantOptions } from '../account.js';
import { addDecimals, amountText, countText } from '../amounts.js';
import { Heading } from '../route.js';
import { turnoverOfRecords, type DayState, type FileDay } from './file-days.js';
import { UploadDay } from './upload-day.js';
import type { Uploads } from './use-uploads.js';

/** Uploads files of sales: the service checks them first, and then saves one day after another. */
export function UploadView({ uploads }: { uploads: Uploads }) {
  const { days, problems, add } = uploads;
  return (
    <>
      <Heading text="Files">
        Upload days by hand: every file is checked before anything is saved
      </Heading>
      <DropZone add={add} />
      {problems.map((problem) => (
        <p role="alert">{problem}</p>
      ))}
      <MachineChooser {...uploads} />
      {days.length > 0 && <Actions {...uploads} />}
      {days.map((day) => (
        <UploadDay key={day.id} day={day} />
      ))}
    </>
  );
}

function DropZone({ add }: Pick<Uploads, 'add'>) {
  const [isOver, setOver] = useState(false);
  const addList = (list: FileList | null | undefined): void => void add([...(list ?? [])]);
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
      <span class="note">JSON, CSV with a header line, or the hourly text file of a mall</span>
      <input
        type="file"
        multiple
        accept=".json,.csv,.txt,text/*,application/json"
        onChange={({ currentTarget }) => {
          addList(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Asks which restaurant a machine is; the browser remembers it, and it can be changed. */
function MachineChooser({ days, machines, assign }: Uploads) {
  const named = [...new Set(days.flatMap(({ machine }) => machine ?? []))];
  if (named.length === 0) return null;
  return (
    <fieldset class="card">
      <legend class="hidden">Which restaurant is it?</legend>
      {named.map((machine) => (
        <label key={machine}>
          Machine {machine}
          <select onChange={({ currentTarget }) => void assign(machine, currentTarget.value)}>
            <option value="" disabled selected={!machines[machine]}>
              Choose…
            </option>
            <RestaurantOptions chosen={[machines[machine] ?? '']} />
          </select>
        </label>
      ))}
    </fieldset>
  );
}

/** Uploads what is ready, shows how far it is, and tries again what failed. */
function Actions({ days, run, clear }: Uploads) {
  const having = (...kinds: DayState['kind'][]): FileDay[] =>
    days.filter(({ state }) => kinds.includes(state.kind));
  const [saved, failed, unchecked] = [having('saved'), having('failed'), having('unchecked')];
  const isBusy = having('sending', 'checking').length > 0;
  const button = (verb: string, chosen: readonly FileDay[], kind: 'checking' | 'sending') => (
    <button
      type="button"
      class={verb === 'Upload' ? 'primary' : ''}
      disabled={isBusy || chosen.length === 0}
      onClick={() => void run(chosen, kind)}
    >
      {verb} {countText(chosen.length, 'day')}
    </button>
  );
  const turnovers = days.map(({ records }) => turnoverOfRecords(records) ?? '0');
  return (
    <div class="controls">
      {button('Upload', having('ready'), 'sending')}
      {failed.length > 0 && button('Retry', failed, 'sending')}
      {unchecked.length > 0 && button('Check', unchecked, 'checking')}
      <button type="button" disabled={isBusy} onClick={clear}>
        Clear
      </button>
      <span role="status">
        {saved.length} of {countText(days.length, 'day')} saved
        {failed.length > 0 && `, ${failed.length} failed`}
      </span>
      <span class="note">Turnover in all: {amountText(addDecimals(turnovers))}</span>
    </div>
  );
}
