import { STATUS_CODES } from 'node:http';
import type { FieldError, ServiceError } from './service-error.js';

export const PROBLEM_TYPE = 'application/problem+json';

const NAMES_PROBLEM = /(?:^|,)\s*application\/problem\+json\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i;

/** Printable ASCII without commas; bounded. */
const HEADER_ENTRY = /^[!-+\--~]{1,200}$/;

type Problem = Pick<ServiceError, 'code' | 'status' | 'message' | 'fieldErrors'>;

interface ErrorContent {
  readonly headers: Record<string, string>;
  readonly body: object;
}

/** Makes the headers and the body of an error: `{"error": text}`, or RFC 9457 if the Accept header names that type. */
export function errorContent(error: ServiceError, accept?: string): ErrorContent {
  const { code, message, headers, fieldErrors } = error;
  const allHeaders = { 'X-Error-Code': code, 'Cache-Control': 'no-store', ...fieldsHeader(fieldErrors), ...headers };
  if (accept === undefined || !NAMES_PROBLEM.test(accept)) return { headers: allHeaders, body: { error: message } };
  return { headers: { ...allHeaders, 'Content-Type': `${PROBLEM_TYPE}; charset=utf-8` }, body: problemBody(error) };
}

/** Has `error` too: generated clients list the type and read the plain body. */
export function problemBody({ code, status, message, fieldErrors }: Problem): object {
  const problem = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, code, error: message };
  return fieldErrors.length > 0 ? { ...problem, errors: fieldErrors } : problem;
}

function fieldsHeader(errors: readonly FieldError[]): Record<string, string> {
  const pointers = new Set(errors.map(({ pointer }) => pointer).filter((pointer) => HEADER_ENTRY.test(pointer)));
  return pointers.size > 0 ? { 'X-Error-Fields': [...pointers].join(', ') } : {};
}
