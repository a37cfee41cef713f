import { useId } from 'preact/hooks';

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly choose: (value: Value) => void;
}

/** Lets one of a few things be chosen; all of them are seen. */
export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { label, value, options, choose } = props;
  const name = useId();
  return (
    <fieldset class="choices">
      <legend class="hidden">{label}</legend>
      {options.map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => choose(each)} />
          {text}
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
