import { useMemo } from 'preact/hooks';
import { nameOf, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { ChangesTable } from '../components/changes-table.js';
import type { Column } from '../components/columns.js';
import { Table } from '../components/table.js';
import { overwritesOf, turnoverOf } from '../data/changes.js';
import { isDate, shortDate } from '../dates.js';
import { FIELD_NAMES, inWords, labelOf, PAYMENTS } from '../fields.js';
import { dayAddress } from '../route.js';
import { type DayState, type FileDay, filesOf } from './file-days.js';
import { TurnoverField } from './questions.js';

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
  readonly compare: (day: FileDay, typed: string) => void;
}

/** Shows a day of a file; one of thousands is rendered again only where it has changed. */
export function UploadDay(props: UploadDayProps) {
  const { day, isHeldBack } = props;
  return useMemo(() => <DayCard {...props} />, [day, isHeldBack]);
}

/** Shows its sum, what an upload would change, and its records on demand. */
function DayCard({ day, isHeldBack, replace, compare }: UploadDayProps) {
  const { state, planned } = day;
  const account = useAccount();
  const { restaurantId, date, turnover, checkedBy } = planned;
  const id = String(restaurantId);
  const files = filesOf(day);
  return (
    <section
      class={`card ${STYLES[state.kind] ?? ''}`}
      aria-label={`${nameOf(account, id)}, ${date}, ${files}`}
    >
      <div class="body">
        <h2>
          {nameOf(account, id)}, {isDate(date) ? shortDate(date) : date}
        </h2>
        <p class="note">{summaryOf(day)}</p>
        <State state={state} isHeldBack={isHeldBack} />
        {state.kind === 'saved' && <a href={dayAddress(id, date)}>Show the day</a>}
        {state.kind === 'foreign' && (
          <button type="button" onClick={() => replace(day)}>
            Replace the stored hours
          </button>
        )}
        {state.kind === 'ready' && checkedBy === undefined && (
          <TurnoverField
            label="Turnover by the till’s own report"
            value={day.typed}
            read={turnover}
            set={(typed) => compare(day, typed)}
          />
        )}
        {state.kind === 'ready' && <Preview state={state} files={files} />}
        <details>
          <summary>Records</summary>
          <RecordsTable day={day} />
        </details>
      </div>
    </section>
  );
}

function summaryOf({ planned, ...day }: FileDay): string {
  const { records, turnover, fields, source } = planned;
  const { tills, profile } = source;
  const parts = [
    `${filesOf({ planned, ...day })}: ${countText(records.length, 'hour')}`,
    `turnover ${amountText(turnover)}`,
    ...(tills.length > 0 ? [`${countText(tills.length, 'till')} (${tills.join(', ')})`] : []),
    ...(PAYMENTS.some((each) => fields.includes(each)) ? [] : ['payments not in the file']),
    `read by ${profile}`,
  ];
  return parts.join(', ');
}

function State({ state, isHeldBack }: Pick<UploadDayProps, 'isHeldBack'> & Pick<FileDay, 'state'>) {
  const isLeft = state.kind === 'ready' && isHeldBack;
  return (
    <>
      <p>
        <strong>{STATE_TEXTS[state.kind]}</strong>
        {'message' in state && `: ${state.message}`}
        {isLeft && ', but another day of its file is not: a file is uploaded whole'}
      </p>
      {state.kind === 'foreign' &&
        state.reasons.map((reason) => <p key={reason}>{inWords(reason)}</p>)}
    </>
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

function RecordsTable({ day }: { day: FileDay }) {
  const { records, lines } = day.planned;
  const columns = ['hour', ...FIELD_NAMES].map((field): Column<RecordRow> => ({
    label: labelOf(field),
    value: ({ record }) => String(record[field]),
  }));
  return (
    <Table
      label={`Records of ${filesOf(day)}`}
      columns={[{ label: 'Line', value: ({ line }) => line }, ...columns]}
      rows={records.map((record, index) => ({ record, line: lines[index]!.join(', ') }))}
      keyOf={({ record }) => String(record['hour'])}
    />
  );
}

interface RecordRow {
  readonly record: FileDay['planned']['records'][number];
  readonly line: string;
}
