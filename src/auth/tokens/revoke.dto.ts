import {
  BooleanField,
  IntegerField,
  OptionalField,
} from '../../http/validation/fields.decorator.js';

/** The body of a revocation, which may be left out. */
export class RevokeDto {
  @OptionalField()
  @BooleanField({
    description: "true revokes all of the caller's tokens, not only the presented one",
    example: false,
  })
  readonly all?: boolean;
}

export class RevokeResponse {
  @IntegerField({ min: 0, example: 1, description: 'How many tokens were revoked' })
  readonly revoked!: number;
}
