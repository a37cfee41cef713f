import { EnumField, OptionalField, StringField } from '../../http/validation/fields.decorator.js';

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
