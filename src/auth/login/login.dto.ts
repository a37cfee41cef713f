import { EnumField, IntegerField, StringField } from '../../http/validation/fields.decorator.js';

/** A password grant (RFC 6749, 4.3). Strings need no maximum: overlong ones match nothing. */
export class LoginDto {
  @EnumField(['password'], { description: 'The only grant there is', example: 'password' })
  readonly grant_type!: string;

  @StringField({ description: "The user's login name", example: 'demo' })
  readonly username!: string;
  @StringField({ description: "The user's password", example: 'demo-password' })
  readonly password!: string;
}

export class LoginResponse {
  @StringField({
    description: 'JWT access token, to be sent as Authorization: Bearer <ACCESS_TOKEN>',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  })
  readonly access_token!: string;

  @EnumField(['Bearer'], { example: 'Bearer' }) readonly token_type!: 'Bearer';

  @IntegerField({ min: 7200, max: 7200, description: 'Seconds until it expires', example: 7200 })
  readonly expires_in!: number;
}
