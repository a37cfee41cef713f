const TEXTS = {
  400: 'The request is not what this call asks for: the text tells every fault, or the first ten',
  401: 'Who calls is not known: the access token, or what was sent to get one, is missing or not valid',
  403: 'This account may not do that',
  404: 'There is no such thing',
  408: 'The request did not arrive in time: send it again',
  409: 'It contradicts what is there already',
  413: 'The body, or a list in it, is too large',
  415: 'The charset or the encoding of the body is not supported',
  429: 'Too many failures: send it again after as many seconds as Retry-After says',
  500: 'Something unforeseen, or the database is away: send it again later',
  503: 'The service is too busy, or not ready: send it again after as many seconds as Retry-After says',
} as const;

/** A status that has a description below `components.responses`. */
export type ErrorStatus = keyof typeof TEXTS;

/** Errors that any route with a body, and any route at all, may send. */
export const SERVER_ERRORS = { body: [408, 413, 415], any: [500, 503] } as const;

/** The error responses by status, for routes to refer to. */
export const ERROR_RESPONSES = Object.fromEntries(
  Object.entries(TEXTS).map(([status, description]) => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
    return [status, { description, headers: headersOf(Number(status)), content }];
  }),
);

/** The headers of an answer. */
export function headersOf(status: number): Record<string, { $ref: string }> {
  const names = ['X-Request-Id'];
  if (status >= 400) names.push('X-Error-Code');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
