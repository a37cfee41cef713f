import type { ComponentChildren } from 'preact';
import type { Answer, Question } from '../../../src/sales/files/question.js';
import { amountText, subtract } from '../amounts.js';
import type { Groups, Options } from './column-roles.js';
import { amountOf, isSame, withoutOption } from './file-days.js';

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly answer: (answer: Answer) => void;
}

/** What a person is asked of a file, each with its answers as buttons. */
export function Questions({ questions, answer }: QuestionsProps) {
  return (
    <>
      {questions.map(({ option, text, answers }) => (
        <Ask key={text} text={text}>
          {[...answers, ...allowanceOf(option)].map((each) => (
            <button type="button" key={each.label} onClick={() => answer(each)}>
              {each.label}
            </button>
          ))}
        </Ask>
      ))}
    </>
  );
}

/** A date far off is right or wrong: nothing else can be said of it. */
const allowanceOf = (option: string): Answer[] =>
  /given\.(old|future)/.test(option) ? [{ option, value: true, label: 'That is right' }] : [];

function Ask({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <div class="notice warn" role="group" aria-label={withoutOption(text)}>
      <p>{withoutOption(text)}</p>
      <div class="actions">{children}</div>
    </div>
  );
}

interface ChooserProps {
  readonly label: string;
  readonly value: string;
  readonly groups: Groups;
  readonly choose: (value: string) => void;
  /** Whether the label is for screen readers alone. */
  readonly isBare?: boolean;
  /** Whether a question is about it. */
  readonly isAsked?: boolean;
}

/** Asks for one of a list, which may have groups. */
export function Chooser({ label, value, groups, choose, isBare, isAsked }: ChooserProps) {
  const list = (options: Options) =>
    options.map(([option, text]) => (
      <option key={option} value={option} selected={option === value}>
        {text}
      </option>
    ));
  return (
    <label>
      {!isBare && label}
      <select
        aria-label={label}
        aria-invalid={isAsked}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {groups.map(([group, options]) =>
          group === '' ? list(options) : <optgroup label={group}>{list(options)}</optgroup>,
        )}
      </select>
    </label>
  );
}

interface DayFieldProps {
  readonly value: string | undefined;
  readonly set: (date: string) => void;
}

export function DayField({ value = '', set }: DayFieldProps) {
  return (
    <label>
      Day{' '}
      <input type="date" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}

interface TurnoverFieldProps {
  readonly label: string;
  /** What was typed. */
  readonly value: string | undefined;
  /** What the files add up to. */
  readonly read: string | undefined;
  readonly set: (typed: string) => void;
}

/** Asks for a total that somebody else computed, and says whether it is what was read. */
export function TurnoverField({ label, value = '', read, set }: TurnoverFieldProps) {
  const given = amountOf(value);
  const difference = given === undefined || read === undefined ? '' : subtract(read, given);
  return (
    <label class="turnover">
      {label}{' '}
      <input
        inputMode="decimal"
        size={12}
        value={value}
        aria-invalid={value !== '' && (given === undefined || /[1-9]/.test(difference))}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />{' '}
      <span role="status">
        {value !== '' && given === undefined && 'Write it as 1234.50'}
        {difference !== '' &&
          (isSame(value, read)
            ? '✓ the same'
            : `The file has ${amountText(difference.replace('-', ''))} ${difference.startsWith('-') ? 'less' : 'more'}`)}
      </span>
    </label>
  );
}
