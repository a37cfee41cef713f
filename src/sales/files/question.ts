import type { Profile } from './profile.js';

/** What a person has to say before a file is read. */
export interface Question {
  /**
   * The option of the profile that answers it, such as `date.order`, or what is said at each import,
   * such as `given.date`.
   */
  readonly option: string;
  readonly text: string;
  /** What may be answered; empty where a person has to find it. */
  readonly answers: readonly Answer[];
  /** Whose turnover is asked: a restaurant as the file names it, and a date. */
  readonly of?: { readonly restaurant: string; readonly date: string };
}

export interface Answer {
  readonly label: string;
  readonly option: string;
  readonly value: unknown;
}

/** Makes a question about one option with its values, each with a label. */
export const ask = (
  option: string,
  text: string,
  values: readonly (readonly [value: unknown, label: string])[] = [],
): Question => ({
  option,
  text,
  answers: values.map(([value, label]) => ({ option, value, label })),
});

const LISTS = ['accept', 'ignore', 'skip_lines', 'skip_sheets'];

/** Returns the profile with an answer in it; lists grow by the answer. */
export function withAnswer(profile: Profile, { option, value }: Answer): Profile {
  const [name = '', part] = option.split('.');
  const all = profile as unknown as Readonly<Record<string, unknown>>;
  const before = all[name];
  if (part !== undefined) return { ...profile, [name]: { ...(before as object), [part]: value } };
  const list = (before ?? []) as readonly unknown[];
  return { ...profile, [name]: LISTS.includes(name) ? [...list, value] : value };
}
