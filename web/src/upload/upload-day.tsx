import { nameOf, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { ChangesTable } from '../components/changes-table.js';
import type { Column } from '../components/columns.js';
import { Table } from '../components/table.js';
import { isDate, shortDate } from '../dates.js';
import { overwritesOf, turnoverOf } from '../day/day-data.js';
import { inWords, labelOf, PAYMENTS } from '../fields.js';
import { dayAddress } from '../route.js';
import { type DayState, type FileDay, filesOf } from './file-days.js';

const STATE_TEXTS: Readonly<Record<DayState['kind'], string>> = {
  checking: 'Checking…',
  unchecked: 'Not checked',
  rejected: 'Cannot be uploaded',
  foreign: 'Waits for you',
  ready: 'Ready',
  sending: 'Sending…',
  saved: 'Saved',
  failed: 'Failed',
};
const STYLES: Readonly<Record<string, string>> = {
  ...{ saved: 'good', rejected: 'bad', foreign: 'bad', failed: 'bad' },
};

interface UploadDayProps {
  readonly day: FileDay;
  /** Whether another day of its file cannot be uploaded. */
  readonly isHeldBack: boolean;
  readonly replace: (day: FileDay) => void;
}

/** Shows a day of a file: its sum, what an upload would change, and its records on demand. */
export function UploadDay({ day, isHeldBack, replace }: UploadDayProps) {
  const { state, planned } = day;
  const account = useAccount();
  const { date, records, turnover, fields } = planned;
  const { tills } = planned.source;
  const id = String(planned.restaurantId ?? planned.restaurant);
  const files = filesOf(day);
  const cells = state.kind === 'rejected' ? state.cells : [];
  return (
    <section
      class={`card ${STYLES[state.kind] ?? ''}`}
      aria-label={`${nameOf(account, id)}, ${date}, ${files}`}
    >
      <div class="body">
        <h2>
          {nameOf(account, id)}, {isDate(date) ? shortDate(date) : date}
        </h2>
        <p class="note">
          {files}: {countText(records.length, 'hour')}
          {turnover !== undefined && `, turnover ${amountText(turnover)}`}
          {tills.length > 0 && `, ${countText(tills.length, 'till')} (${tills.join(', ')})`}
          {!PAYMENTS.some((payment) => fields.includes(payment)) && ', payments not in the file'}
        </p>
        <State state={state} isHeldBack={isHeldBack} />
        {state.kind === 'saved' && <a href={dayAddress(id, date)}>Show the day</a>}
        {state.kind === 'foreign' && (
          <button type="button" onClick={() => replace(day)}>
            Replace the stored hours
          </button>
        )}
        {state.kind === 'ready' && <Preview state={state} files={files} />}
        <details open={cells.length > 0}>
          <summary>Records</summary>
          <RecordsTable day={day} cells={cells} />
        </details>
      </div>
    </section>
  );
}

function State({ state, isHeldBack }: Pick<UploadDayProps, 'isHeldBack'> & Pick<FileDay, 'state'>) {
  return (
    <p>
      <strong>{STATE_TEXTS[state.kind]}</strong>
      {'message' in state && `: ${state.message}`}
      {state.kind === 'ready' &&
        isHeldBack &&
        ', but another day of its file is not: a file is uploaded whole'}
    </p>
  );
}

function Preview({ state, files }: { state: DayState & { kind: 'ready' }; files: string }) {
  const overwritten = state.changes.filter((change) => change.before !== null);
  const { before, after } = turnoverOf(overwritten);
  return (
    <>
      {state.warnings.length > 0 && (
        <details>
          <summary>{countText(state.warnings.length, 'warning')}</summary>
          {state.warnings.map((warning) => (
            <p key={warning}>{inWords(warning)}</p>
          ))}
        </details>
      )}
      {overwritten.length > 0 && (
        <details>
          <summary>
            <strong>Overwrites {countText(overwritten.length, 'hour')}</strong>: turnover{' '}
            {amountText(before)} → {amountText(after)}
          </summary>
          <ChangesTable changes={overwritesOf(overwritten)} label={`Overwritten by ${files}`} />
        </details>
      )}
    </>
  );
}

function RecordsTable({ day, cells }: { day: FileDay; cells: readonly string[] }) {
  const { records, lines } = day.planned;
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
      label={`Records of ${filesOf(day)}`}
      columns={[{ label: 'Line', value: ({ line }) => line }, ...columns]}
      rows={records.map((record, index) => {
        return { record, index, line: lines[index]?.join(', ') ?? String(index + 1) };
      })}
      keyOf={({ index }) => String(index)}
    />
  );
}

interface RecordRow {
  readonly record: FileDay['planned']['records'][number];
  readonly index: number;
  readonly line: string;
}

/** Shows a value of a file as it was written there. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
