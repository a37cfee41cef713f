import { useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import type { DayUpload } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { ChangesTable } from '../components/changes-table.js';
import { Details } from '../components/details.js';
import { overwritesOf, turnoverOf } from '../data/changes.js';
import { momentText, placeOf } from '../dates.js';

/** Lists the uploads of the day, each with what it changed. */
export function DayUploads({ uploads }: { uploads: readonly DayUpload[] }) {
  const { timeZone } = useAccount();
  if (uploads.length === 0) return null;
  return (
    <Card title="Uploads" note={`newest first, times of ${placeOf(timeZone)}`}>
      <div class="body">
        {uploads.map((upload) => (
          <UploadEntry key={upload.id} upload={upload} />
        ))}
      </div>
    </Card>
  );
}

function UploadEntry({ upload }: { upload: DayUpload }) {
  const { timeZone } = useAccount();
  const overwrites = overwritesOf(upload.changes);
  const heading = (
    <>
      {momentText(upload.uploaded_at, timeZone)}, <b>{upload.username}</b>
      {upload.source && ` (${upload.source})`}: sent {upload.processed}, {effectOf(upload)}
    </>
  );
  if (overwrites.length === 0) return <p>{heading}</p>;
  return (
    <Details summary={heading}>
      <ChangesTable changes={overwrites} label={`Changes of upload ${upload.id}`} />
    </Details>
  );
}

/** Writes `changed 20 hours: turnover 0.00 → 6,375.39`. */
function effectOf({ changes }: DayUpload): string {
  if (changes.length === 0) return 'changed nothing';
  const { before, after } = turnoverOf(changes);
  const isNew = changes.every((change) => change.before === null);
  const turnover = isNew ? amountText(after) : `${amountText(before)} → ${amountText(after)}`;
  return `${isNew ? 'added' : 'changed'} ${countText(changes.length, 'hour')}: turnover ${turnover}`;
}
