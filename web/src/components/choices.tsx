import { useId } from 'preact/hooks';

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string, note?: string])[];
  readonly choose: (value: Value, element: EventTarget | null) => void;
  /** `row`: buttons beside each other; `list`: lines below each other. */
  readonly as?: 'row' | 'list';
}

/** Lets one of a few things be chosen; all of them are seen. */
export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { label, value, options, choose, as = 'row' } = props;
  const name = useId();
  return (
    <fieldset class={`choices ${as}`}>
      <legend class={as === 'row' ? 'hidden' : ''}>{label}</legend>
      {options.map(([each, text, note]) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={each === value}
            onKeyDown={(event) => {
              const { currentTarget } = event;
              if (as === 'list') step(event, currentTarget, () => choose(each, currentTarget));
            }}
            onChange={({ currentTarget }) => choose(each, currentTarget)}
          />
          <span>
            {text} {note && <small class="note">{note}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** In a menu that closes with a choice, arrows move and Enter chooses. */
function step(event: KeyboardEvent, input: HTMLInputElement, choose: () => void): void {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const inputs = [...input.closest('fieldset')!.querySelectorAll('input')];
  if (event.key === 'Enter') choose();
  else if (by) inputs.at((inputs.indexOf(input) + by) % inputs.length)!.focus();
  else return;
  event.preventDefault();
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

export function Switch({ label, isOn, set }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** The values that may be chosen, by groups; one without a name has no heading. */
export type Groups = readonly (readonly [
  group: string,
  options: readonly (readonly [value: string, label: string])[],
])[];

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly groups: Groups;
  readonly choose: (value: string) => void;
  /** Whether the label is for screen readers alone. */
  readonly isBare?: boolean;
  /** Whether a question is about it. */
  readonly isAsked?: boolean;
}

/** Lets one of many things be chosen. */
export function Select({ label, value, groups, choose, isBare, isAsked }: SelectProps) {
  return (
    <label>
      {!isBare && label}{' '}
      <select
        aria-label={label}
        aria-invalid={isAsked}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {groups.map(([group, options]) => {
          const list = options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ));
          return group === '' ? list : <optgroup label={group}>{list}</optgroup>;
        })}
      </select>
    </label>
  );
}
