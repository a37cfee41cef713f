import { Documented } from '../../http/openapi/api-property.decorator.js';
import { Literal, Text, WholeNumber } from '../../http/validation/fields.decorator.js';

/** The answer to a login. */
export class LoginResponse {
  @Text({ description: 'JWT access token, to be sent as Authorization: Bearer <ACCESS_TOKEN>' })
  readonly access_token!: string;

  @Literal('Bearer')
  readonly token_type!: 'Bearer';

  @WholeNumber({ min: 7200, max: 7200, description: 'Seconds for which the token is valid' })
  readonly expires_in!: number;
}

/** The answer to a revocation. */
export class RevokeResponse {
  @Documented({ type: 'integer', minimum: 0, description: 'How many tokens were taken back' })
  readonly revoked!: number;
}
