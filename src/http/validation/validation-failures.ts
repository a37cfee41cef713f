/** How many faults of a request are told in words; the rest are counted, so that an answer never grows with its question. */
const TOLD = 10;

const MAX_TEXT = 300;

/** What is wrong with a request, in the order of its body. */
export class Faults {
  readonly texts: string[] = [];
  count = 0;
  /** The first fault that has a status of its own, and outranks all others. */
  refusal: { readonly status: number; readonly text: string } | undefined;

  constructor(private readonly told = TOLD) {}

  /** The text comes as a function because most faults of a hopeless request are only counted. */
  add(text: () => string, status?: number): void {
    this.count += 1;
    if (status !== undefined) this.refusal ??= { status, text: shortened(text()) };
    else if (this.texts.length < this.told) this.texts.push(shortened(text()));
  }

  get text(): string {
    const untold = this.count - this.texts.length;
    return [...this.texts, ...(untold > 0 ? [`... and ${untold} more`] : [])].join('; ');
  }
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}...`;
}
