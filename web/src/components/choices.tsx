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
