import { StringField } from '../../http/validation/fields.decorator.js';

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
