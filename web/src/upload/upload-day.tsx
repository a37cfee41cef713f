import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { ChangesTable } from '../day/day-uploads.js';
import { labelOf } from '../fields.js';
import { RestaurantsContext } from '../restaurants.js';
import type { CellError, DayState, FileDay } from './file-days.js';

const STATE_TEXTS: Readonly<Record<DayState['kind'], string>> = {
  unassigned: 'choose the restaurant of its machine',
  checking: 'is being checked…',
  unchecked: 'could not be checked',
  rejected: 'cannot be uploaded',
  ready: 'ready',
  sending: 'is being sent…',
  saved: 'saved',
  failed: 'failed',
};

/** Shows a day of a file: its records, what is wrong with them, and what an upload would overwrite. */
export function UploadDay({ day }: { readonly day: FileDay }): JSX.Element {
  const { state, records, file, machine } = day;
  const restaurants = useContext(RestaurantsContext);
  const { restaurant_id: id, date } = { ...records[0] };
  const name = restaurants.find(({ restaurant_id }) => restaurant_id === id)?.name ?? textOf(id);
  const cells = state.kind === 'rejected' ? state.cells : [];
  return (
    <section class={`file ${state.kind}`} aria-label={`${file}, ${textOf(date)}`}>
      <h2>
        {file}: {machine === undefined ? name : `machine ${machine}`}, {textOf(date)}
      </h2>
      <p>
        <strong>{STATE_TEXTS[state.kind]}</strong>
        {'message' in state && `: ${state.message}`}
      </p>
      {state.kind === 'ready' && <Preview state={state} label={`Overwritten by ${file}`} />}
      <details open={cells.length > 0}>
        <summary>{records.length} hours</summary>
        <RecordsTable day={day} cells={cells} />
      </details>
    </section>
  );
}

function Preview({
  state,
  label,
}: {
  readonly state: DayState & { kind: 'ready' };
  readonly label: string;
}): JSX.Element {
  const { overwrites, warnings } = state;
  return (
    <>
      {warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map((warning) => (
            <li>Warning: {warning}</li>
          ))}
        </ul>
      )}
      {overwrites.length > 0 && <p class="missing">This upload overwrites figures that are saved already:</p>}
      {overwrites.length > 0 && <ChangesTable changes={overwrites} label={label} />}
    </>
  );
}

interface RecordsProps {
  readonly day: FileDay;
  readonly cells: readonly CellError[];
}

function RecordsTable({ day: { records, lines, file }, cells }: RecordsProps): JSX.Element {
  const named = records.flatMap((record) => Object.keys({ ...record }));
  const fields = [...new Set([...named, ...cells.map(({ field }) => field)])];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Records of ${file}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            {fields.map((field) => (
              <th scope="col">{labelOf(field)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, index) => (
            <RecordRow
              heading={lines[index] ?? index + 1}
              record={{ ...record }}
              fields={fields}
              errors={cells.filter((cell) => cell.record === index)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RecordRowProps {
  readonly heading: number;
  readonly record: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
  readonly errors: readonly CellError[];
}

function RecordRow({ heading, record, fields, errors }: RecordRowProps): JSX.Element {
  return (
    <tr>
      <th scope="row">{heading}</th>
      {fields.map((field) => (
        <Cell value={textOf(record[field])} error={errors.find((error) => error.field === field)} />
      ))}
    </tr>
  );
}

function Cell({ value, error }: { readonly value: string; readonly error: CellError | undefined }): JSX.Element {
  if (!error) return <td>{value}</td>;
  return (
    <td class="invalid">
      {value} <span class="detail">{error.detail}</span>
    </td>
  );
}

/** A value of a file as it was written there. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
