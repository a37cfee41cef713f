/** The same with numbers as the digits that were sent. */
export type Exact<T> = T extends number
  ? string
  : T extends readonly (infer Entry)[]
    ? Exact<Entry>[]
    : T extends object
      ? { [Key in keyof T]: Exact<T[Key]> }
      : T;

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON and keeps every digit: amounts have more than JavaScript numbers hold. */
export function parseExact<T>(json: string): Exact<T> {
  return JSON.parse(json.replace(STRING_OR_NUMBER, (part) => (part.startsWith('"') ? part : `"${part}"`))) as Exact<T>;
}
