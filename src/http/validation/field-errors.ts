import { InvalidRequest } from '../errors/http.errors.js';
import type { ServiceError } from '../errors/service-error.js';
import { TooManyEntries } from '../errors/too-large.errors.js';

const MAX_REPORTED = 10;
const MAX_TEXT_LENGTH = 300;

/** Collects validation errors; after ten only their number. */
export class FieldErrors {
  private readonly texts: string[] = [];
  private count = 0;
  private tooManyEntries: string | undefined;

  add(text: () => string): void {
    this.count += 1;
    if (this.texts.length < MAX_REPORTED) this.texts.push(shorten(text()));
  }

  addTooManyEntries(text: string): void {
    this.count += 1;
    this.tooManyEntries ??= shorten(text);
  }

  get text(): string {
    if (this.tooManyEntries !== undefined) return this.tooManyEntries;
    const unreported = this.count - this.texts.length;
    return [...this.texts, ...(unreported > 0 ? [`... and ${unreported} more`] : [])].join('; ');
  }

  toServiceError(): ServiceError {
    return this.tooManyEntries === undefined ? new InvalidRequest(this.text) : new TooManyEntries(this.text);
  }
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}...`;
}
