import { ApiProperty } from '@nestjs/swagger';
import {
  EnumField,
  IntegerField,
  OptionalField,
  StringField,
} from '../../http/validation/fields.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from '../tokens/token-lifetime.js';

const TIME = { type: 'string', format: 'date-time', nullable: true } as const;

/** A password grant (RFC 6749, 4.3). Strings need no maximum: overlong ones match nothing. */
export class LoginDto {
  @EnumField(['password'], { description: 'The only grant there is', example: 'password' })
  readonly grant_type!: string;

  @StringField({ description: "The user's login name", example: 'demo' })
  readonly username!: string;
  @StringField({ description: "The user's password", example: 'demo-password' })
  readonly password!: string;

  @OptionalField()
  @StringField({
    description: 'Of a person with a second factor: six digits, or a recovery code',
    example: '123456',
  })
  readonly code?: string;
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

  @OptionalField()
  @EnumField(['password_must_change', 'second_factor_required'], {
    description: 'What a person has to do first; until then only routes of auth/ take the token',
    example: 'password_must_change',
  })
  readonly restricted?: string;

  @ApiProperty({ ...TIME, required: false, description: 'The login of a person before this one' })
  readonly last_login_at?: string | null;

  @ApiProperty({ type: 'string', required: false, nullable: true, example: '192.0.2.1' })
  readonly last_login_address?: string | null;

  @OptionalField()
  @IntegerField({ min: 0, description: 'Failed logins since then', example: 0 })
  readonly failed_since?: number;

  @ApiProperty({ ...TIME, required: false, description: 'null: before this was recorded' })
  readonly password_changed_at?: string | null;
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
