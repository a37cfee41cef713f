import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FileDay } from './file-days.js';
import { Heading } from '../heading.js';
import { MachineChooser } from './machine-chooser.js';
import { UploadDay } from './upload-day.js';
import { useUploads, type Uploads } from './use-uploads.js';

/** Uploads files of sales: they are checked by the service first, and then saved a day at a time. */
export function UploadView(): JSX.Element {
  const uploads = useUploads();
  const { days, problems, add, assign } = uploads;
  return (
    <>
      <Heading text="Upload" />
      <DropZone add={add} />
      {problems.map((problem) => (
        <p role="alert">{problem}</p>
      ))}
      <MachineChooser days={days} assign={assign} />
      {days.length > 0 && <Actions uploads={uploads} />}
      {days.map((day) => (
        <UploadDay key={day.id} day={day} />
      ))}
    </>
  );
}

function DropZone({ add }: Pick<Uploads, 'add'>): JSX.Element {
  const [isOver, setOver] = useState(false);
  const addList = (list: FileList | null | undefined): void => void add([...(list ?? [])]);
  const drag = (event: DragEvent, over: boolean): void => {
    event.preventDefault();
    setOver(over);
    if (event.type === 'drop') addList(event.dataTransfer?.files);
  };
  return (
    <label
      class={isOver ? 'drop over no-print' : 'drop no-print'}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => drag(event, false)}
    >
      Drop files here or choose them: JSON, CSV with a header line, or the hourly text file of a mall
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

/** Uploads what is ready, shows how far it is, and tries again what failed. */
function Actions({ uploads: { days, check, upload, clear } }: { readonly uploads: Uploads }): JSX.Element {
  const [sent, setSent] = useState<readonly string[]>([]);
  const having = (kind: FileDay['state']['kind']): FileDay[] => days.filter((day) => day.state.kind === kind);
  const [ready, failed, saved, unchecked] = [having('ready'), having('failed'), having('saved'), having('unchecked')];
  const isBusy = having('sending').length + having('checking').length > 0;
  const done = [...saved, ...failed].filter(({ id }) => sent.includes(id)).length;
  const start = (chosen: readonly FileDay[]): void => {
    setSent(chosen.map(({ id }) => id));
    void upload(chosen);
  };
  const button = (verb: string, chosen: readonly FileDay[], action: (chosen: readonly FileDay[]) => void) => (
    <button type="button" disabled={isBusy || chosen.length === 0} onClick={() => action(chosen)}>
      {verb} {countText(chosen.length)}
    </button>
  );
  return (
    <div class="controls no-print">
      {button('Upload', ready, start)}
      {failed.length > 0 && button('Retry', failed, start)}
      {unchecked.length > 0 && button('Check', unchecked, (chosen) => void check(chosen))}
      <button type="button" disabled={isBusy} onClick={clear}>
        Clear
      </button>
      {sent.length > 0 && <progress aria-label="Upload" max={sent.length} value={done} />}
      <span role="status">
        {saved.length} of {countText(days.length)} saved{failed.length > 0 && `, ${failed.length} failed`}
      </span>
    </div>
  );
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}
