import { InvalidArgumentError } from 'commander';
import { isCalendarDate } from '../http/validation/calendar-date.js';

/** Parses a whole number that JavaScript holds exactly; whether it is in range is for the service to check. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number.');
  }
  return value;
}

/** Parses a date that exists. */
export function day(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a date that exists, as YYYY-MM-DD.');
  return text;
}

/** Makes a parser that accepts these words. */
export function oneOf<Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return word;
  };
}
