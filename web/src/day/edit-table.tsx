import { plainDigits } from '../amounts.js';
import type { DayResponse } from '../api/shapes.js';
import { Select } from '../components/choices.js';
import { type Field, FIELD_NAMES, figureText, HOURS, hourText, labelOf } from '../fields.js';
import { type Draft, faultOf, storedOf, type Typed } from './draft.js';

interface EditTableProps {
  readonly day: DayResponse;
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
}

/** Shows the hours of a day as fields; what differs from the stored figures is marked. */
export function EditTable({ day, draft, set }: EditTableProps) {
  const isShown = (hour: string): boolean =>
    hour in draft || !!storedOf(day, hour) || day.expected_hours.includes(hour);
  const others = HOURS.filter((hour) => !isShown(hour));
  return (
    <>
      <div class="scroll long edit" tabIndex={0} role="region" aria-label="Figures to correct">
        <table>
          <thead>
            <tr>
              {['Hour', ...FIELD_NAMES.map(labelOf)].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {HOURS.filter(isShown).map((hour) => (
              <EditRow
                key={hour}
                {...{ day, hour }}
                typed={draft[hour] ?? {}}
                set={(typed) => set({ ...draft, [hour]: typed })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {others.length > 0 && (
        <p class="actions">
          <Select
            label="Another hour"
            value=""
            groups={[
              ['', [['', 'Choose…'], ...others.map((hour) => [hour, hourText(hour)] as const)]],
            ]}
            choose={(hour) => set({ ...draft, [hour]: {} })}
          />
        </p>
      )}
    </>
  );
}

interface EditRowProps {
  readonly day: DayResponse;
  readonly hour: string;
  readonly typed: Typed;
  readonly set: (typed: Typed) => void;
}

function EditRow({ day, hour, typed, set }: EditRowProps) {
  const stored = storedOf(day, hour);
  const entries = Object.entries(typed) as [Field, string][];
  const type = (field: Field, text: string): void => {
    const others = Object.fromEntries(entries.filter(([each]) => each !== field)) as Typed;
    set(text.trim() === '' && !stored ? others : { ...others, [field]: text.trim() });
  };
  return (
    <tr class={entries.length > 0 ? 'changed' : ''}>
      <th scope="row">{hourText(hour)}</th>
      {FIELD_NAMES.map((field) => {
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
              onInput={({ currentTarget }) => type(field, currentTarget.value)}
            />
          </td>
        );
      })}
    </tr>
  );
}
