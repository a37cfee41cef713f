import { useState } from 'preact/hooks';
import { problemOf } from '../data/periods.js';
import type { DateRange } from '../dates.js';
import { Select } from './choices.js';
import { Form } from './form.js';

interface PeriodPickerProps<Name extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Name, string>>;
  /** The name that is chosen; undefined of days of one's own. */
  readonly value: Name | undefined;
  readonly range: DateRange;
  readonly choose: (chosen: Name | DateRange) => void;
}

/** Chooses days by their name, or by the first and the last of them. */
export function PeriodPicker<Name extends string>(props: PeriodPickerProps<Name>) {
  const { label, names, value, range, choose } = props;
  const [isOwn, setOwn] = useState(value === undefined);
  const options = Object.entries<string>(names);
  const submit = ({ from = '', to = '' }: Partial<DateRange>): void => {
    const problem = problemOf({ from, to });
    if (problem !== undefined) throw new Error(problem);
    choose({ from, to });
  };
  return (
    <>
      <Select
        label={label}
        value={isOwn ? '' : value!}
        groups={[['', [...options, ['', 'Other days…']]]]}
        choose={(name) => {
          setOwn(name === '');
          if (name !== '') choose(name as Name);
        }}
      />
      {isOwn && (
        <Form label="Show these days" submit={submit}>
          <DateField label="First day" name="from" value={range.from} />
          <DateField label="Last day" name="to" value={range.to} />
        </Form>
      )}
    </>
  );
}

interface DateFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
}

export function DateField({ label, name, value }: DateFieldProps) {
  return (
    <label>
      {label} <input type="date" name={name} defaultValue={value} min="2000-01-01" required />
    </label>
  );
}
