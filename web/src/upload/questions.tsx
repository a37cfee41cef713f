import type { Answer, Question } from '../../../src/sales/files/question.js';
import { amountOf, amountText, subtract } from '../amounts.js';
import { Button } from '../components/button.js';
import { Notice } from '../components/card.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { withoutOption } from './file-days.js';
import type { Said } from './uploads.js';

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly answer: (answer: Answer) => unknown;
}

/** What a person is asked of a file, each with its answers as buttons. */
export function Questions({ questions, answer }: QuestionsProps) {
  return (
    <>
      {questions.map(({ text, answers }) => (
        <Notice
          key={text}
          kind="warn"
          actions={answers.map((each) => (
            <Button key={each.label} act={() => answer(each)}>
              {each.label}
            </Button>
          ))}
        >
          {withoutOption(text)}
        </Notice>
      ))}
    </>
  );
}

/** Sentences about a file, a line each. */
export function Notes({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}

interface GivenFieldsProps {
  readonly asksRestaurant: boolean;
  readonly asksDate: boolean;
  readonly said: Said;
  readonly say: (more: Said) => void;
}

/** Asks for what a file of its source never says. */
export function GivenFields({ asksRestaurant, asksDate, said, say }: GivenFieldsProps) {
  return (
    <>
      {asksRestaurant && (
        <RestaurantChoice
          label="Restaurant"
          value={said.restaurant ?? ''}
          choose={(restaurant) => say({ restaurant })}
        />
      )}
      {asksDate && (
        <label>
          Day{' '}
          <input
            type="date"
            value={said.date ?? ''}
            onChange={({ currentTarget }) => say({ date: currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

interface TurnoverFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly read?: string | undefined;
  readonly set: (typed: string) => void;
}

export const TURNOVER_LABEL =
  'Turnover of this day by the till’s own report, before tax and service charge';

/** Asks for a total that somebody else computed, and says whether it is what was read. */
export function TurnoverField({ label, value = '', read, set }: TurnoverFieldProps) {
  const problem = value === '' ? '' : differenceText(value, read);
  return (
    <label class="turnover">
      {label}{' '}
      <input
        inputMode="decimal"
        size={12}
        value={value}
        aria-invalid={problem !== ''}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />{' '}
      <span role="status">{problem || (value !== '' && read !== undefined && '✓ the same')}</span>
    </label>
  );
}

function differenceText(typed: string, read: string | undefined): string {
  const given = amountOf(typed);
  if (given === undefined) return 'Write it as 1234.50';
  if (read === undefined || read === given) return '';
  const more = subtract(read, given);
  return `The file has ${amountText(more.replace('-', ''))} ${more.startsWith('-') ? 'less' : 'more'}`;
}
