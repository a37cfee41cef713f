import { ConstantField, StringField } from '../../http/validation/fields.decorator.js';

/** A password grant (RFC 6749 section 4.3). */
export class LoginDto {
  @ConstantField('password', { description: 'The only grant there is', example: 'password' })
  readonly grant_type!: string;

  // No upper bounds: what is too long to be anyone's simply matches nobody, and the size of the body is limited.
  @StringField({ description: "The user's login name", example: 'till-1' })
  readonly username!: string;

  @StringField({ description: "The user's password", example: 'correct horse battery staple' })
  readonly password!: string;
}
