import { useMemo } from 'preact/hooks';
import { nameOf, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { Button } from '../components/button.js';
import { Card, Details } from '../components/card.js';
import { ChangesTable, overwritesOf, turnoverOf } from '../components/changes-table.js';
import type { Column } from '../components/columns.js';
import { Table } from '../components/table.js';
import { isDate, shortDate } from '../dates.js';
import { FIELD_NAMES, inWords, labelOf, PAYMENTS } from '../fields.js';
import { dayAddress } from '../route.js';
import { type DayState, type FileDay, filesOf, recordsOf } from './file-days.js';
import { TurnoverField } from './questions.js';

const STATES: Readonly<Record<DayState['kind'], readonly [text: string, style: string]>> = {
  checking: ['Checking…', ''],
  unchecked: ['Not checked', ''],
  rejected: ['Cannot be uploaded', 'bad'],
  foreign: ['Waits for you', 'bad'],
  ready: ['Ready', ''],
  sending: ['Sending…', ''],
  saved: ['Saved', 'good'],
  failed: ['Failed', 'bad'],
};

interface UploadDayProps {
  readonly day: FileDay;
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
  const [text, style] = STATES[state.kind];
  return (
    <Card
      label={`${nameOf(account, id)}, ${date}, ${filesOf(day)}`}
      title={`${nameOf(account, id)}, ${isDate(date) ? shortDate(date) : date}`}
      note={summaryOf(day)}
      class={style}
    >
      <div class="body">
        <p>
          <strong>{text}</strong>
          {'message' in state && `: ${state.message}`}
          {state.kind === 'ready' &&
            isHeldBack &&
            ', but another day of its file is not: a file is uploaded whole'}
        </p>
        {state.kind === 'saved' && <a href={dayAddress(id, date)}>Show the day</a>}
        {state.kind === 'foreign' && (
          <>
            {state.reasons.map((reason) => (
              <p key={reason}>{inWords(reason)}</p>
            ))}
            <Button act={() => replace(day)}>Replace the stored hours</Button>
          </>
        )}
        {state.kind === 'ready' && checkedBy === undefined && (
          <TurnoverField
            label="Turnover by the till’s own report"
            value={day.typed}
            read={turnover}
            set={(typed) => compare(day, typed)}
          />
        )}
        {state.kind === 'ready' && <Preview state={state} files={filesOf(day)} />}
        <Details summary="Records">
          <RecordsTable day={day} />
        </Details>
      </div>
    </Card>
  );
}

function summaryOf(day: FileDay): string {
  const { hours, turnover, fields, source } = day.planned;
  const { tills, profile } = source;
  const parts = [
    `${filesOf(day)}: ${countText(hours, 'hour')}`,
    `turnover ${amountText(turnover)}`,
    ...(tills.length > 0 ? [`${countText(tills.length, 'till')} (${tills.join(', ')})`] : []),
    ...(PAYMENTS.some((each) => fields.includes(each)) ? [] : ['payments not in the file']),
    `read by ${profile}`,
  ];
  return parts.join(', ');
}

function Preview({ state, files }: { state: DayState & { kind: 'ready' }; files: string }) {
  const overwritten = state.changes.filter((change) => change.before !== null);
  const { before, after } = turnoverOf(overwritten);
  return (
    <>
      {state.warnings.length > 0 && (
        <Details summary={countText(state.warnings.length, 'warning')}>
          {state.warnings.map((warning) => (
            <p key={warning}>{inWords(warning)}</p>
          ))}
        </Details>
      )}
      {overwritten.length > 0 && (
        <Details
          summary={
            <>
              <strong>Overwrites {countText(overwritten.length, 'hour')}</strong>: turnover{' '}
              {amountText(before)} → {amountText(after)}
            </>
          }
        >
          <ChangesTable changes={overwritesOf(overwritten)} label={`Overwritten by ${files}`} />
        </Details>
      )}
    </>
  );
}

interface RecordRow {
  readonly record: Readonly<Record<string, unknown>>;
  readonly line: string;
}

const RECORD_COLUMNS: readonly Column<RecordRow>[] = [
  { label: 'Line', value: ({ line }) => line },
  ...['hour', ...FIELD_NAMES].map((field): Column<RecordRow> => {
    const show = ({ record }: RecordRow): string => String(record[field]);
    return { label: labelOf(field), kind: 'count', value: show, show };
  }),
];

function RecordsTable({ day }: { day: FileDay }) {
  const { records, lines } = recordsOf(day);
  return (
    <Table
      label={`Records of ${filesOf(day)}`}
      columns={RECORD_COLUMNS}
      rows={records.map((record, index) => ({ record, line: lines[index]!.join(', ') }))}
      keyOf={({ record }) => String(record['hour'])}
    />
  );
}
