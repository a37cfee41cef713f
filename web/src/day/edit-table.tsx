import { amountOf } from '../amounts.js';
import type { DayResponse } from '../api/shapes.js';
import { Select } from '../components/choices.js';
import type { Column } from '../components/columns.js';
import { Table } from '../components/table.js';
import {
  type Field,
  FIELD_NAMES,
  figureText,
  HOURS,
  hourText,
  kindOf,
  labelOf,
} from '../fields.js';
import { type Draft, faultOf, storedOf } from './draft.js';

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
  const figures = FIELD_NAMES.map((field): Column<string> => {
    const label = labelOf(field);
    const show = (hour: string) => <Figure {...{ day, draft, set, hour, field }} />;
    return { label, kind: kindOf(field), head: label, value: () => undefined, show };
  });
  return (
    <div class="edit">
      <Table
        label="Figures to correct"
        columns={[{ label: 'Hour', head: 'Hour', value: hourText }, ...figures]}
        rows={HOURS.filter(isShown)}
        keyOf={(hour) => hour}
      />
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
    </div>
  );
}

type FigureProps = EditTableProps & { readonly hour: string; readonly field: Field };

function Figure({ day, draft, set, hour, field }: FigureProps) {
  const stored = storedOf(day, hour);
  const before = stored?.[field];
  const { [field]: text, ...others } = draft[hour] ?? {};
  const isFault = text !== undefined && faultOf(field, text) !== undefined;
  const isChanged = text !== undefined && (isFault || amountOf(text) !== before);
  const type = (typed: string): void => {
    const isLeftOut = typed === '' && !stored;
    set({ ...draft, [hour]: isLeftOut ? others : { ...others, [field]: typed } });
  };
  return (
    <span class={isChanged ? 'is-changed' : ''}>
      {isChanged && before !== undefined && <span class="was">{figureText(field, before)}</span>}
      <input
        inputMode="decimal"
        aria-label={`${hourText(hour)} ${labelOf(field)}`}
        aria-invalid={isFault}
        value={text ?? before ?? ''}
        placeholder="0"
        onInput={({ currentTarget }) => type(currentTarget.value.trim())}
      />
    </span>
  );
}
