import { BooleanField, OptionalField } from '../../http/validation/fields.decorator.js';

/** Which tokens to take back; the body may be left out. */
export class RevokeDto {
  @OptionalField()
  @BooleanField({
    description: "true takes back all of the caller's tokens, not only the presented one",
    example: true,
  })
  readonly all?: boolean;
}
