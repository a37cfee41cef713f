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
