import { Literal, Text } from '../../http/fields.decorator.js';

/** A password grant (RFC 6749 section 4.3). */
export class LoginDto {
  @Literal('password', { description: 'The only grant there is', example: 'password' })
  readonly grant_type!: string;

  @Text({ max: 200, description: "The user's login name", example: 'till-1' })
  readonly username!: string;

  // No upper bound: a password too long to be anyone's simply does not match, and the size of the body is limited.
  @Text({ description: "The user's password", example: 'correct horse battery staple' })
  readonly password!: string;
}
