import type { Located } from './find-columns.js';
import type { Findings } from './findings.js';
import type { Profile } from './profile.js';
import { ask } from './question.js';
import { currencyOf, isCurrencyCode } from './read-amounts.js';
import { zoneOf } from './read-dates.js';
import { type Cell, type Row, textOf, wholeText } from './table.js';

/** Words of a zone or of a unit, which change every time or amount below them. */
const WORD = /\b(?:UTC|GMT|thousands?|cents)\b|(?<!\d)['’]000\b|\(000s?\)/gi;
/** A currency stands in brackets, after `in` or at the end, as other words of three letters do not. */
const CODE = /(?<=[([]|\bin |currency:? )[A-Z]{3}(?=[)\]]|\b)|(?<=\s)[A-Z]{3}$/g;

/** Asks about zones, currencies and units, unless the profile accepts the word. */
export class WordCheck {
  /** The words that need no question, or have had one. */
  private readonly known: Set<string>;
  /** The currency of each column, and the line of its first amount. */
  private readonly currencies = new Map<number, readonly [currency: string, line: number]>();

  constructor(
    private readonly profile: Profile,
    private readonly findings: Findings,
    private readonly currency: string | undefined,
  ) {
    this.known = new Set((profile.accept ?? []).map((word) => word.toLowerCase()));
  }

  /** Looks at the headings in use, and at what stands above them. */
  checkTitles({ headings, titles, columns }: Located): void {
    const used = [...columns.values()].map((index) => textOf(headings?.cells[index]));
    for (const text of [...used, ...titles.map(wholeText)])
      for (const [word] of [...text.matchAll(WORD), ...text.matchAll(CODE)]) {
        const isDeclared = /^cents$/i.test(word) && this.profile.cents === true;
        const isWord = !/^[A-Z]{3}$/.test(word) || /^(UTC|GMT)$/.test(word);
        if ((isWord && !isDeclared) || this.isOther(word))
          this.ask(word, `${text}: what does ${word} mean for the figures?`);
      }
  }

  checkTime({ line }: Row, text: string): void {
    const zone = zoneOf(text);
    const where = `line ${line}: ${text} has a zone (${zone})`;
    if (zone !== '') this.ask(zone, `${where}: is it the restaurant's clock?`);
  }

  /** An amount has the currency of the service, and all of a column have one. */
  checkAmount({ line }: Row, index: number, cell: Cell): void {
    const found = currencyOf(cell);
    if (found === '') return;
    const [first, above] = this.currencies.get(index) ?? [found, line];
    this.currencies.set(index, [first, above]);
    const where = `line ${line}: ${textOf(cell)} is in ${found}`;
    if (this.isOther(found)) this.ask(found, `${where}, and not in ${this.currency}`);
    else if (found !== first)
      this.ask(found, `${where}, and line ${above} in ${first}: are they one currency?`);
  }

  private isOther(code: string): boolean {
    return this.currency !== undefined && isCurrencyCode(code) && code !== this.currency;
  }

  /** Profiles of earlier releases ask nothing about such words. */
  private ask(word: string, text: string): void {
    if (this.profile.unchecked || this.known.has(word.toLowerCase())) return;
    this.known.add(word.toLowerCase());
    const question = `${text} If they are right as they are, accept the word (accept)`;
    this.findings.ask(ask('accept', question, [[word, 'they are right as they are']]));
  }
}
