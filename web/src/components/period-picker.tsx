import { useState } from 'preact/hooks';
import { problemOf } from '../data/periods.js';
import type { DateRange } from '../dates.js';
import { changeQuery } from '../route.js';
import { Select } from './choices.js';
import { Form } from './form.js';

interface PeriodPickerProps {
  readonly label: string;
  readonly names: Readonly<Record<string, string>>;
  /** The name that is chosen; undefined of days of one's own. */
  readonly value: string | undefined;
  /** The name that the address leaves out. */
  readonly usual: string;
  readonly range: DateRange;
  /** The parameter of the address for the name, and what stands before `from` and `to`. */
  readonly query: string;
  readonly prefix?: string;
}

/** Chooses days by their name, or by the first and the last of them. */
export function PeriodPicker(props: PeriodPickerProps) {
  const { label, names, value, usual, range, query, prefix = '' } = props;
  const [isOwn, setOwn] = useState(value === undefined);
  const choose = (name: string, { from, to }: DateRange): void => {
    const chosen = { [query]: name === usual ? '' : name };
    changeQuery({ ...chosen, [`${prefix}from`]: from, [`${prefix}to`]: to });
  };
  const submit = ({ from = '', to = '' }: Partial<DateRange>): void => {
    const problem = problemOf({ from, to });
    if (problem !== undefined) throw new Error(problem);
    choose('', { from, to });
  };
  return (
    <>
      <Select
        label={label}
        value={isOwn ? '' : value!}
        groups={[['', [...Object.entries(names), ['', 'Other days…']]]]}
        choose={(name) => {
          setOwn(name === '');
          if (name !== '') choose(name, { from: '', to: '' });
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

export function DateField({ label, name, value }: Record<'label' | 'name' | 'value', string>) {
  return (
    <label>
      {label} <input type="date" name={name} defaultValue={value} min="2000-01-01" required />
    </label>
  );
}
