import { InvalidArgumentError } from 'commander';
import { isCalendarDate } from '../http/validation/calendar-date.js';

/** An argument's or option's text as a whole number; whether it is one that exists is the service's to say. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It is no whole number.');
  return value;
}

/** An argument's or option's text as a day that exists. */
export function day(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It is no day that exists, in the form YYYY-MM-DD.');
  return text;
}

/** One of a few words. */
export function oneOf<Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw new InvalidArgumentError(`It is none of ${words.join(', ')}.`);
    return word;
  };
}
