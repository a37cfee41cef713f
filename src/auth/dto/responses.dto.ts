import { ApiProperty } from '../../http/openapi/openapi.decorator.js';
import { ConstantField, StringField, IntegerField } from '../../http/validation/fields.decorator.js';

/** The answer to a login. */
export class LoginResponse {
  @StringField({ description: 'JWT access token, to be sent as Authorization: Bearer <ACCESS_TOKEN>' })
  readonly access_token!: string;

  @ConstantField('Bearer')
  readonly token_type!: 'Bearer';

  @IntegerField({ min: 7200, max: 7200, description: 'Seconds for which the token is valid' })
  readonly expires_in!: number;
}

/** The answer to a revocation. */
export class RevokeResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many tokens were taken back' })
  readonly revoked!: number;
}
