import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_RESPONSES } from './error-responses.js';

/** The only way in, besides logging in. */
export const BEARER = 'bearer';

/** What the OpenAPI document says of all routes together: the form of every error, headers, how to be let in. */
export const OPENAPI_BASE: Omit<OpenAPIObject, 'paths'> = {
  openapi: '3.0.3',
  info: {
    title: 'Restaurant Hourly Sales Upload Service',
    version: '1',
    description:
      'Every error has the body of the schema Error. A path that is not served is answered 404, a method that a path ' +
      'does not serve 405. Fields that are not described here are ignored.',
  },
  components: {
    securitySchemes: { [BEARER]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    schemas: {
      Error: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string', minLength: 1, description: 'What is wrong, in words for a person' } },
      },
    },
    responses: ERROR_RESPONSES,
    headers: {
      'X-Request-Id': {
        description: 'Names the request in the log of the service; a well-formed one that the client sent is kept',
        schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
      },
      'X-Error-Code': {
        description: 'A word for programs, which stays the same when the text is improved',
        schema: { type: 'string', pattern: '^[a-z]+(_[a-z]+)*$', example: 'invalid_request' },
      },
      'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
      'WWW-Authenticate': {
        description: 'How to be let in; with error="invalid_token" where a token was sent',
        schema: { type: 'string', example: 'Bearer' },
      },
    },
  },
};
