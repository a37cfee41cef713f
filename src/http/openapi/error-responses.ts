import type { HeaderObject, HeadersObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { PROBLEM_TYPE, problemBody } from '../errors/error-content.js';
import { declaredErrors } from '../errors/service-error.js';

const ERRORS = {
  400: ['BadRequest', 'The request is invalid; the text reports every error, or the first ten'],
  401: ['Unauthorized', 'The access token or the credentials are missing or invalid'],
  403: ['Forbidden', 'The account is not allowed to do this'],
  404: ['NotFound', 'There is no such endpoint, or nothing with this identifier'],
  405: ['MethodNotAllowed', 'The path does not have this method; Allow lists its methods'],
  408: ['RequestTimeout', 'The request did not arrive in time: send it again'],
  409: ['Conflict', 'The request contradicts what is stored'],
  413: ['ContentTooLarge', 'The body, or a list in it, is too large'],
  415: ['UnsupportedMediaType', 'The charset or the encoding of the body is not supported'],
  417: ['ExpectationFailed', 'The Expect header is not supported'],
  429: ['TooManyRequests', 'Too many failures or requests: retry after the seconds in Retry-After'],
  431: ['RequestHeaderFieldsTooLarge', 'The headers of the request are too large'],
  500: ['InternalServerError', 'An unexpected error, or the database is down: retry later'],
  503: ['ServiceUnavailable', 'Overloaded, or not ready: retry after the seconds in Retry-After'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

export const GENERAL_ERRORS = { body: [413, 415], any: [400, 404, 405, 408, 417, 431, 500, 503] } as const;

const text = { type: 'string', minLength: 1 } as const;
const error = { ...text, description: 'What is wrong, for a person to read' };

export const ERROR_SCHEMAS: Record<string, SchemaObject> = {
  ErrorBody: { type: 'object', required: ['error'], properties: { error } },
  Problem: {
    type: 'object',
    description: 'RFC 9457; only for clients whose Accept header names application/problem+json',
    required: ['type', 'title', 'status', 'detail', 'code', 'error'],
    properties: {
      type: { type: 'string', description: 'Always about:blank' },
      title: { ...text, description: 'The name of the status' },
      status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
      detail: { ...text, description: 'The same as error' },
      code: { ...text, description: 'The same as X-Error-Code' },
      error,
      errors: { type: 'array', maxItems: 20, items: { $ref: '#/components/schemas/FieldError' } },
    },
  },
  FieldError: {
    type: 'object',
    required: ['pointer', 'code', 'detail'],
    properties: {
      pointer: { ...text, description: 'JSON pointer (RFC 6901) of the field' },
      code: { type: 'string', enum: ['missing', 'invalid', 'repeated', 'mixed'] },
      detail: { ...text, description: 'What is wrong with it, for a person to read' },
    },
  },
};

const FIELD_ERROR = {
  pointer: '/records/0/hour',
  code: 'invalid',
  detail: 'records[0].hour must be an integer from 0 to 23',
};

export const HEADERS: Record<string, HeaderObject> = {
  'X-Request-Id': {
    required: true,
    description: "Identifies the request in the service's log; a well-formed one that the client sent is kept",
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$', example: 'till-7-0042' },
  },
  'X-Error-Fields': {
    description: 'JSON pointers (RFC 6901) of the invalid fields, at most 20: of a body, or of the query by its names',
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
  Allow: { required: true, description: 'The methods of the path', schema: { type: 'string', example: 'GET, HEAD' } },
};

const HEADERS_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'X-Error-Fields',
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Makes an entry of `components.responses`. */
export function errorResponse(status: number): { name: string; response: ResponseObject } | undefined {
  if (!(status in ERRORS)) return undefined;
  const [name, description] = ERRORS[status as ErrorStatus];
  const errors = declaredErrors().filter((error) => error.status === status);
  const texts = errors.flatMap(({ code, text }) => (text === undefined ? [] : [[code, text] as const]));
  const examples: Record<string, { value: { error: string } }> = {};
  for (const [code, error] of texts.length > 0 ? texts : [['any', description] as const])
    examples[code] = { value: { error } };
  const [code, message] = status === 400 ? ['invalid_request', FIELD_ERROR.detail] : (texts[0] ?? [name, description]);
  const example = problemBody({ code, status, message, fieldErrors: status === 400 ? [FIELD_ERROR] : [] });
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' }, examples },
    [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, example },
  };
  return { name, response: { description, headers: headersOf(status), content } };
}

export function headersOf(status: number): HeadersObject {
  const names = ['X-Request-Id', HEADERS_BY_STATUS[status] ?? []].flat();
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  if (status < 400) return headers;
  const declared = declaredErrors().flatMap((error) => (error.status === status ? [error.code] : []));
  const codes = [...new Set(declared)].sort(); // not in the order of imports
  const [example] = codes;
  const description = 'A stable word for programs: it stays the same when the text changes';
  return {
    ...headers,
    'X-Error-Code': { required: true, description, schema: { type: 'string', enum: codes, example } },
  };
}
