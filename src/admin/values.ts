import { InvalidArgumentError } from 'commander';

/** An argument's or option's text as a whole number; whether it is one that exists is the service's to say. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It is no whole number.');
  return value;
}
