import { figureText, hourText, labelOf } from '../fields.js';
import type { Day } from './day-data.js';
import { addsUp, type Draft, faultOf, fieldsOf, plainDigits, recordOf, storedOf } from './draft.js';

interface EditTableProps {
  readonly day: Day;
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  readonly hours: readonly string[];
}

/** Shows the hours of a day as fields; what differs from the stored figures is marked. */
export function EditTable({ day, draft, set, hours }: EditTableProps) {
  const isShown = (hour: string): boolean =>
    hour in draft || !!storedOf(day, hour) || day.expected_hours.includes(hour);
  const type = (hour: string, field: string, text: string): void => {
    const isEmptied = text.trim() === '' && !storedOf(day, hour);
    const others = Object.entries(draft[hour] ?? {}).filter(([name]) => name !== field);
    const typed = isEmptied ? others : [...others, [field, text.trim()] as const];
    set({ ...draft, [hour]: Object.fromEntries(typed) });
  };
  return (
    <>
      <div class="scroll edit" tabIndex={0} role="region" aria-label="Figures to correct">
        <table>
          <thead>
            <tr>
              {['Hour', ...fieldsOf(day).map(labelOf), 'Check'].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.filter(isShown).map((hour) => (
              <EditRow key={hour} day={day} hour={hour} draft={draft} type={type} />
            ))}
          </tbody>
        </table>
      </div>
      <AnotherHour
        hours={hours.filter((hour) => !isShown(hour))}
        add={(hour) => set({ ...draft, [hour]: {} })}
      />
    </>
  );
}

interface AnotherHourProps {
  readonly hours: readonly string[];
  readonly add: (hour: string) => void;
}

/** Adds an hour that was neither sent nor expected. */
function AnotherHour({ hours, add }: AnotherHourProps) {
  if (hours.length === 0) return null;
  return (
    <p class="actions">
      <label>
        Another hour{' '}
        <select value="" onChange={({ currentTarget }) => add(currentTarget.value)}>
          <option value="">Choose…</option>
          {hours.map((hour) => (
            <option key={hour} value={hour}>
              {hourText(hour)}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

interface EditRowProps {
  readonly day: Day;
  readonly hour: string;
  readonly draft: Draft;
  readonly type: (hour: string, field: string, text: string) => void;
}

function EditRow({ day, hour, draft, type }: EditRowProps) {
  const stored = storedOf(day, hour);
  const typed = draft[hour] ?? {};
  const isTouched = Object.keys(typed).length > 0;
  const isFaulty = Object.entries(typed).some(([field, text]) => faultOf(field, text));
  const isUp = !isFaulty && addsUp(recordOf(day, hour, typed));
  const isEmpty = !stored && !isTouched;
  const checkText = isEmpty ? 'not sent' : isUp ? 'adds up' : 'payments differ';
  return (
    <tr class={isTouched ? 'changed' : ''}>
      <th scope="row">{hourText(hour)}</th>
      {fieldsOf(day).map((field) => {
        const before = stored?.[field];
        const text = typed[field];
        const isFault = text !== undefined && faultOf(field, text) !== undefined;
        const isChanged = text !== undefined && (isFault || plainDigits(text) !== (before ?? ''));
        return (
          <td key={field} class={isChanged ? 'is-changed' : ''}>
            {isChanged && before !== undefined && (
              <span class="was">{figureText(field, before)}</span>
            )}
            <input
              inputMode="decimal"
              aria-label={`${hourText(hour)} ${labelOf(field)}`}
              aria-invalid={isFault}
              value={text ?? before ?? ''}
              placeholder="0"
              onInput={({ currentTarget }) => type(hour, field, currentTarget.value)}
            />
          </td>
        );
      })}
      <td class={isUp && !isEmpty ? 'up' : 'note'}>{checkText}</td>
    </tr>
  );
}
