import { amountText, countText } from '../amounts.js';
import { momentText } from '../dates.js';
import { figureText, hourText, labelOf } from '../fields.js';
import { Progress, useLoad } from '../use-load.js';
import { loadUploads, overwritesOf, turnoverOf, type Change, type Upload } from './day-data.js';

/** Lists the uploads of the day, each with what it changed. */
export function DayUploads({ id, date }: { id: string; date: string }) {
  const loaded = useLoad(() => loadUploads(id, date), []);
  return (
    <section>
      <h2>Uploads</h2>
      <Progress of={loaded} />
      {loaded.value?.map((upload) => (
        <UploadEntry key={upload.id} upload={upload} />
      ))}
    </section>
  );
}

function UploadEntry({ upload }: { upload: Upload }) {
  const overwrites = overwritesOf(upload.changes);
  const heading = (
    <>
      {momentText(upload.uploaded_at)}, <b>{upload.username}</b>: sent {upload.processed},{' '}
      {effectOf(upload)}
    </>
  );
  if (overwrites.length === 0) return <p>{heading}</p>;
  return (
    <details>
      <summary>{heading}</summary>
      <Changes changes={overwrites} label={`Changes of upload ${upload.id}`} />
    </details>
  );
}

/** Writes `changed 20 hours: turnover 0.00 → 6,375.39`. */
function effectOf({ changes }: Upload): string {
  if (changes.length === 0) return 'changed nothing';
  const { before, after } = turnoverOf(changes);
  const isNew = changes.every((change) => change.before === null);
  const turnover = isNew ? amountText(after) : `${amountText(before)} → ${amountText(after)}`;
  return `${isNew ? 'added' : 'changed'} ${countText(changes.length, 'hour')}: turnover ${turnover}`;
}

/** Lists values before and after. */
export function Changes({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <ul aria-label={label}>
      {changes.map(({ hour, field, before, after }) => (
        <li>
          {hourText(hour)} {labelOf(field)} {figureText(field, before)} → {figureText(field, after)}
        </li>
      ))}
    </ul>
  );
}
