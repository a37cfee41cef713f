import type { Located } from './find-columns.js';
import type { Profile } from './profile.js';
import { ask, type Question } from './question.js';
import { currencyOf, isCurrencyCode } from './read-amounts.js';
import { zoneOf } from './read-dates.js';
import { type Cell, type Row, textOf, wholeText } from './table.js';

/** Words of a zone or of a unit, which change every time or amount below them. */
const WORD = /\b(?:UTC|GMT|thousands?|cents)\b|(?<!\d)['’]000\b|\(000s?\)/gi;
/** A currency stands in brackets, after `in` or at the end, as other words of three letters do not. */
const CODE = /(?<=[([]|\bin |currency:? )[A-Z]{3}(?=[)\]]|\b)|(?<=\s)[A-Z]{3}$/g;

/** What a person is asked about zones, currencies and units, unless the profile accepts the word. */
export class WordCheck {
  private readonly questions = new Map<string, Question>();
  /** The first cell with each currency of a column. */
  private readonly currencies = new Map<number, Map<string, Row>>();
  private readonly accepted: ReadonlySet<string>;

  constructor(
    private readonly profile: Profile,
    private readonly currency: string | undefined,
  ) {
    this.accepted = new Set((profile.accept ?? []).map((word) => word.toLowerCase()));
  }

  asked(): Question[] {
    return [...this.questions.values()];
  }

  /** Looks at the headings in use, and at what stands above them. */
  checkTitles({ headings, titles, columns }: Located): void {
    const used = [...columns.values()].map((index) => textOf(headings?.cells[index]));
    for (const text of [...used, ...titles.map(wholeText)])
      for (const [word] of [...text.matchAll(WORD), ...text.matchAll(CODE)]) {
        const isOther =
          this.currency !== undefined && isCurrencyCode(word) && word !== this.currency;
        const isDeclared = /^cents$/i.test(word) && this.profile.cents === true;
        if ((isOther || !/^[A-Z]{3}$/.test(word) || /^(UTC|GMT)$/.test(word)) && !isDeclared)
          this.ask(word, `${text}: what does ${word} mean for the figures?`);
      }
  }

  checkTime(row: Row, text: string): void {
    const zone = zoneOf(text);
    if (zone !== '')
      this.ask(
        zone,
        `line ${row.line}: ${text} has a zone (${zone}): is it the restaurant's clock?`,
      );
  }

  /** An amount has the currency of the service, and all of a column have one. */
  checkAmount(row: Row, index: number, cell: Cell): void {
    const found = currencyOf(cell);
    if (found === '') return;
    const all = this.currencies.get(index) ?? new Map<string, Row>();
    this.currencies.set(index, all);
    if (all.has(found)) return;
    all.set(found, row);
    const [[first, above] = ['', row]] = all;
    if (isCurrencyCode(found) && this.currency !== undefined && found !== this.currency)
      this.ask(
        found,
        `line ${row.line}: ${textOf(cell)} is in ${found}, and not in ${this.currency}`,
      );
    else if (all.size > 1)
      this.ask(
        found,
        `line ${row.line}: ${textOf(cell)} is in ${found}, and line ${above.line} in ${first}: are they one currency?`,
      );
  }

  private ask(word: string, text: string): void {
    if (this.accepted.has(word.toLowerCase()) || this.questions.has(word)) return;
    const question = `${text} If they are right as they are, accept the word (accept)`;
    this.questions.set(word, ask('accept', question, [[word, 'they are right as they are']]));
  }
}
