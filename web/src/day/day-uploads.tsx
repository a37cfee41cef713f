import type { JSX } from 'preact';
import { momentText } from '../dates.js';
import { hourText, labelOf } from '../fields.js';
import { useLoad } from '../use-load.js';
import { changesOf, loadUploads, type Change, type Upload } from './day-data.js';

interface DayUploadsProps {
  readonly restaurantId: number;
  readonly date: string;
}

/** Lists the uploads of the day, each with what it changed. */
export function DayUploads({ restaurantId, date }: DayUploadsProps): JSX.Element {
  const { value: uploads, error } = useLoad(() => loadUploads(restaurantId, date), []);
  return (
    <section>
      <h2>Uploads</h2>
      {error && <p role="alert">{error}</p>}
      {uploads?.length === 0 && <p>There are none.</p>}
      {uploads?.map((upload, index) => (
        <UploadEntry key={upload.id} upload={upload} isOpen={index === 0} />
      ))}
    </section>
  );
}

function UploadEntry({ upload, isOpen }: { readonly upload: Upload; readonly isOpen: boolean }): JSX.Element {
  const changes = changesOf(upload);
  const hours = new Set(changes.map(({ hour }) => hour)).size;
  const effect = hours === 0 ? 'changed nothing' : `changed ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return (
    <details open={isOpen}>
      <summary>
        {momentText(upload.uploaded_at)}, <b>{upload.username}</b>: sent {upload.processed}, {effect}
      </summary>
      {hours > 0 && <ChangesTable changes={changes} label={`Changes of upload ${upload.id}`} />}
    </details>
  );
}

interface ChangesProps {
  readonly changes: readonly Change[];
  readonly label: string;
}

/** Shows values before and after, side by side. */
export function ChangesTable({ changes, label }: ChangesProps): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {['Hour', 'Figure', 'Before', 'After'].map((heading) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ hour, field, before, after }) => (
            <tr>
              <th scope="row">{hourText(hour)}</th>
              <td class="text">{labelOf(field)}</td>
              <td>{before ?? 'none'}</td>
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
