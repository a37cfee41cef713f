import { EnumField, IntegerField, StringField } from '../../http/validation/fields.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from '../tokens/token-lifetime.js';

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

  @IntegerField({
    min: TOKEN_LIFETIME_SECONDS,
    max: TOKEN_LIFETIME_SECONDS,
    description: 'Seconds until it expires',
    example: TOKEN_LIFETIME_SECONDS,
  })
  readonly expires_in!: number;
}

export class ChangePasswordDto {
  @StringField({ description: "The caller's password so far", example: 'demo-password' })
  readonly current_password!: string;

  @StringField({
    description:
      'At least 12 characters (or as head office sets), not the username, not a common one',
    example: 'harbour grill sells noodles',
  })
  readonly new_password!: string;
}
