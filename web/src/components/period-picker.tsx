import { useState } from 'preact/hooks';
import {
  type Comparison,
  COMPARISONS,
  type Period,
  PERIODS,
  problemOf,
  rangeBefore,
  rangeOfPeriod,
} from '../data/periods.js';
import { type DateRange, isDate, rangeText, shortDate } from '../dates.js';
import { Choices } from './choices.js';
import { closeMenu, Menu } from './menu.js';

interface PeriodPickerProps {
  readonly today: string;
  readonly range: DateRange;
  readonly period: Period | undefined;
  /** Chooses a named period, or a range of one's own. */
  readonly choose: (period: Period | DateRange) => void;
}

/** Chooses a period by its name, or by its first and last day. */
export function PeriodPicker({ today, range, period, choose }: PeriodPickerProps) {
  const options = Object.entries(PERIODS).map(([name, label]) => {
    return [name as Period, label, rangeText(rangeOfPeriod(name as Period, today))] as const;
  });
  return (
    <Menu label="Period" value={period ? PERIODS[period] : rangeText(range)}>
      <Choices
        as="list"
        label="Period"
        value={period ?? ('' as Period)}
        options={options}
        choose={(name, element) => {
          choose(name);
          closeMenu(element);
        }}
      />
      <OwnRange range={range} choose={choose} />
    </Menu>
  );
}

interface OwnRangeProps {
  readonly range: DateRange;
  readonly choose: (range: DateRange) => void;
}

/** Takes two days; nothing is loaded while they are being typed. */
function OwnRange({ range, choose }: OwnRangeProps) {
  const [days, setDays] = useState(range);
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const found = problemOf(days);
    setProblem(found ?? '');
    if (found !== undefined) return;
    choose(days);
    closeMenu(event.currentTarget);
  };
  return (
    <form class="own-range" onSubmit={submit} noValidate>
      <DateField label="First day" value={days.from} set={(from) => setDays({ ...days, from })} />
      <DateField label="Last day" value={days.to} set={(to) => setDays({ ...days, to })} />
      <button type="submit">Show these days</button>
      <p role="alert">{problem}</p>
    </form>
  );
}

interface DateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (date: string) => void;
}

/** A date; the browser writes it in its own order, so that it stands below in words too. */
export function DateField({ label, value, set }: DateFieldProps) {
  return (
    <label>
      {label}
      <input
        type="date"
        min="2000-01-01"
        max="2999-12-31"
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <small class="note">{isDate(value) ? shortDate(value) : 'not a day'}</small>
    </label>
  );
}

interface ComparisonPickerProps {
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  readonly comparison: Comparison;
  readonly choose: (comparison: Comparison | DateRange) => void;
}

/** Chooses what a period is compared with; each choice names its days. */
export function ComparisonPicker({ range, before, comparison, choose }: ComparisonPickerProps) {
  const named = Object.entries(COMPARISONS).filter(([name]) => name !== 'own');
  const options = named.map(([name, label]) => {
    const days = rangeBefore(range, name as Comparison);
    return [name as Comparison, sentence(label), days ? rangeText(days) : ''] as const;
  });
  const value = comparison === 'own' && before ? rangeText(before) : COMPARISONS[comparison];
  return (
    <Menu label="Compare with" value={value}>
      <Choices
        as="list"
        label="Compare with"
        value={comparison}
        options={options}
        choose={(name, element) => {
          choose(name);
          closeMenu(element);
        }}
      />
      <OwnRange range={before ?? range} choose={choose} />
    </Menu>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
