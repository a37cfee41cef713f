import type { HeaderObject, HeadersObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { declaredErrors } from '../errors/service-error.js';

/** Each status has a name, a meaning, and a header beside those of every error. */
const ERRORS = {
  400: ['BadRequest', 'Invalid; the text reports the first ten errors', 'X-Error-Fields'],
  401: ['Unauthorized', 'The token or the credentials are missing or invalid', 'WWW-Authenticate'],
  403: ['Forbidden', 'The account is not allowed to do this', ''],
  404: ['NotFound', 'There is no such endpoint, or nothing with this identifier', ''],
  408: ['RequestTimeout', 'The request did not arrive in time: send it again', ''],
  409: ['Conflict', 'The request contradicts what is stored', ''],
  413: ['ContentTooLarge', 'The body, or a list in it, is too large', ''],
  415: ['UnsupportedMediaType', 'The charset or the encoding of the body is not supported', ''],
  429: ['TooManyRequests', 'Too many failures or requests: wait', 'Retry-After'],
  431: ['RequestHeaderFieldsTooLarge', 'The headers of the request are too large', ''],
  500: ['InternalServerError', 'An unexpected error, or the database is down: retry later', ''],
  503: ['ServiceUnavailable', 'Overloaded, or not ready: wait', 'Retry-After'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** Errors that every route may send, and every route with a body. */
export const GENERAL_ERRORS = {
  body: [413, 415],
  any: [400, 404, 408, 431, 500, 503],
} as const;

export const ERROR_BODY: SchemaObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'string',
      minLength: 1,
      description: 'What is wrong, for a person to read',
      example: 'the body is not valid JSON at position 812',
    },
  },
};

export const HEADERS: Record<string, HeaderObject> = {
  'X-Request-Id': {
    required: true,
    description: "Identifies the request in the service's log; one that the client sent is kept",
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$', example: 'till-7-0042' },
  },
  'X-Error-Fields': {
    description: 'JSON pointers (RFC 6901) of the invalid fields, at most 20',
    schema: { type: 'string', example: '/records/0/hour, /records/0/gto' },
  },
  'Retry-After': {
    description: 'Seconds to wait',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647, example: 1 },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'The scheme; with error="invalid_token" if a token was sent',
    schema: { type: 'string', example: 'Bearer' },
  },
};

/** Makes an entry of `components.responses` with the codes of the declared errors. */
export function errorResponse(
  status: number,
): { name: string; response: ResponseObject } | undefined {
  if (!(status in ERRORS)) return undefined;
  const [name, description, header] = ERRORS[status as ErrorStatus];
  const declared = declaredErrors.filter((error) => error.status === status);
  // The order of imports is not stable.
  const codes = [...new Set(declared.map(({ code }) => code))].sort();
  const headers = {
    ...references('X-Request-Id', ...(header === '' ? [] : [header])),
    'X-Error-Code': {
      required: true,
      description: 'A stable word for programs: it stays the same when the text changes',
      schema: { type: 'string', enum: codes, example: codes[0] },
    },
  } as const;
  const schema = { $ref: '#/components/schemas/ErrorBody' };
  return { name, response: { description, headers, content: { 'application/json': { schema } } } };
}

/** Makes references to the headers of the document. */
export function references(...names: readonly string[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
