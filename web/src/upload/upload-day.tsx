import { nameOf, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { ChangesTable } from '../components/changes-table.js';
import type { Column } from '../components/columns.js';
import { Table } from '../components/table.js';
import { isDate, shortDate } from '../dates.js';
import { overwritesOf, turnoverOf } from '../day/day-data.js';
import { labelOf } from '../fields.js';
import { turnoverOfRecords, type DayState, type FileDay } from './file-days.js';

const STATE_TEXTS: Readonly<Record<DayState['kind'], string>> = {
  unassigned: 'Choose the restaurant of its machine',
  checking: 'Checking…',
  unchecked: 'Not checked',
  rejected: 'Cannot be uploaded',
  ready: 'Ready',
  sending: 'Sending…',
  saved: 'Saved',
  failed: 'Failed',
};
const STYLES: Readonly<Record<string, string>> = { saved: 'good', rejected: 'bad', failed: 'bad' };

/** Shows a day of a file: its sum, what an upload would change, and its records on demand. */
export function UploadDay({ day }: { day: FileDay }) {
  const { state, records, file, machine } = day;
  const account = useAccount();
  const [id, date] = [textOf(records[0]?.['restaurant_id']), textOf(records[0]?.['date'])];
  const turnover = turnoverOfRecords(records);
  const cells = state.kind === 'rejected' ? state.cells : [];
  return (
    <section class={`card ${STYLES[state.kind] ?? ''}`} aria-label={`${file}, ${date}`}>
      <div class="body">
        <h2>
          {machine === undefined ? nameOf(account, id) : `Machine ${machine}`},{' '}
          {isDate(date) ? shortDate(date) : date}
        </h2>
        <p class="note">
          {file}: {countText(records.length, 'hour')}
          {turnover !== undefined && `, turnover ${amountText(turnover)}`}
        </p>
        <p>
          <strong>{STATE_TEXTS[state.kind]}</strong>
          {'message' in state && `: ${state.message}`}
        </p>
        {state.kind === 'ready' && <Preview state={state} file={file} />}
        <details open={cells.length > 0}>
          <summary>Records</summary>
          <RecordsTable day={day} cells={cells} />
        </details>
      </div>
    </section>
  );
}

function Preview({ state, file }: { state: DayState & { kind: 'ready' }; file: string }) {
  const overwritten = state.changes.filter((change) => change.before !== null);
  const { before, after } = turnoverOf(overwritten);
  return (
    <>
      {state.warnings.length > 0 && (
        <details>
          <summary>{countText(state.warnings.length, 'warning')}</summary>
          {state.warnings.map((warning) => (
            <p>{warning}</p>
          ))}
        </details>
      )}
      {overwritten.length > 0 && (
        <details>
          <summary>
            <strong>Overwrites {countText(overwritten.length, 'hour')}</strong>: turnover{' '}
            {amountText(before)} → {amountText(after)}
          </summary>
          <ChangesTable changes={overwritesOf(overwritten)} label={`Overwritten by ${file}`} />
        </details>
      )}
    </>
  );
}

function RecordsTable({ day, cells }: { day: FileDay; cells: readonly string[] }) {
  const { records, lines, file } = day;
  const faulty = cells.map((cell) => cell.split(' ')[1]!);
  const named = records.flatMap((record) => Object.keys({ ...record }));
  const fields = [...new Set([...faulty, ...named])];
  const columns = fields.map((field): Column<RecordRow> => ({
    label: labelOf(field),
    value: ({ record }) => textOf({ ...record }[field]),
    show: ({ record, index }) => {
      const value = textOf({ ...record }[field]);
      return cells.includes(`${index} ${field}`) ? <mark>{value || 'missing'}</mark> : value;
    },
  }));
  return (
    <Table
      label={`Records of ${file}`}
      columns={[{ label: 'Line', value: ({ line }) => String(line) }, ...columns]}
      rows={records.map((record, index) => ({ record, index, line: lines[index] ?? index + 1 }))}
      keyOf={({ index }) => String(index)}
    />
  );
}

interface RecordRow {
  readonly record: FileDay['records'][number];
  readonly index: number;
  readonly line: number;
}

/** Shows a value of a file as it was written there. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
