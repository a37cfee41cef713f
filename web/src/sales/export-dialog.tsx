import { useEffect, useState } from 'preact/hooks';
import { countText, numberText } from '../amounts.js';
import { readFile } from '../api/service.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import type { Selection } from '../data/selection.js';
import { loadTotals, sumOf } from '../data/totals.js';
import { rangeText } from '../dates.js';
import { saveFile } from '../export/csv.js';
import { useAction } from '../use-action.js';
import { Show, useLoad } from '../use-load.js';

/** The browser holds the file while it comes; larger ones are made on the command line. */
const MAX_LINES = 1_000_000;

/** Saves every hour of a period as one file, for who analyses them elsewhere. */
export function ExportDialog({ selection }: { selection: Selection }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button act={() => setOpen(true)}>Export</Button>
      {isOpen && (
        <Dialog title="Export every hour" close={() => setOpen(false)}>
          <Export {...selection} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

type ExportProps = Pick<Selection, 'range' | 'ids'> & { readonly close: () => void };

function Export({ range, ids, close }: ExportProps) {
  const { from, to } = range;
  const { isBusy, problem, act } = useAction();
  const [ending] = useState(() => new AbortController());
  useEffect(() => () => ending.abort(), []);
  const counted = useLoad(
    async (signal) => {
      const asked = { range, ids, by: ['month'], fields: ['orders'] } as const;
      const { hours, missing_hours: missing } = sumOf((await loadTotals(asked, signal)).months);
      return Number(hours) + Number(missing);
    },
    [from, to, ids.join()],
  );
  const download = async (): Promise<void> => {
    const query = { ...range, restaurant_id: ids.join() };
    const file = await readFile('/api/v1/sales/export', query, ending.signal);
    saveFile(`sales-${from}-${to}.csv`, file);
    close();
  };
  return (
    <div class="body">
      <p>
        {rangeText(range)},{' '}
        {ids.length === 0 ? 'all restaurants' : countText(ids.length, 'restaurant')}: a CSV file
        with a line for each hour that was sent or is missing.
      </p>
      <Show of={counted} height={80}>
        {(lines) => (
          <>
            {lines > MAX_LINES && (
              <p class="fault">
                {numberText(lines)} lines are more than the page can save ({numberText(MAX_LINES)}):
                choose fewer days or restaurants, or ask for a file of <code>sales export</code>.
              </p>
            )}
            <p class="actions">
              <Button class="primary" isOff={isBusy || lines > MAX_LINES} act={() => act(download)}>
                {isBusy ? 'Downloading…' : `Download ${countText(lines, 'line')}`}
              </Button>
            </p>
          </>
        )}
      </Show>
      <p class="fault" role="alert">
        {problem}
      </p>
    </div>
  );
}
