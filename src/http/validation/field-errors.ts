import { InvalidRequest, TooManyEntries } from '../errors/http.errors.js';
import type { FieldError, ServiceError } from '../errors/service-error.js';

const MAX_TEXTS = 10;
const MAX_FIELDS = 20;
const MAX_TEXT_LENGTH = 300;

export interface ReportedError {
  /** Like `records[3].hour`. */
  readonly path: string;
  /** For programs, in the body of RFC 9457. */
  readonly code: 'missing' | 'invalid' | 'repeated' | 'mixed';
  readonly text: () => string;
}

/** Collects the first validation errors and counts all. */
export class FieldErrors {
  private readonly fields: FieldError[] = [];
  private count = 0;
  private tooManyEntries: string | undefined;

  add({ path, code, text }: ReportedError): void {
    this.count += 1;
    if (this.fields.length < MAX_FIELDS) this.fields.push({ pointer: pointerTo(path), code, detail: shorten(text()) });
  }

  addTooManyEntries(text: string): void {
    this.count += 1;
    this.tooManyEntries ??= shorten(text);
  }

  get text(): string {
    if (this.tooManyEntries !== undefined) return this.tooManyEntries;
    const texts = this.fields.slice(0, MAX_TEXTS).map(({ detail }) => detail);
    const unreported = this.count - texts.length;
    return [...texts, ...(unreported > 0 ? [`... and ${unreported} more`] : [])].join('; ');
  }

  toServiceError(): ServiceError {
    if (this.tooManyEntries !== undefined) return new TooManyEntries(this.text);
    return Object.assign(new InvalidRequest(this.text), { fieldErrors: this.fields });
  }
}

/** RFC 6901. */
function pointerTo(path: string): string {
  return `/${path.replace(/\]$/, '').replace(/\]?[.[]/g, '/')}`;
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}...`;
}
