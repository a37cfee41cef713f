/**
 * A constraint that looks at nothing but the value. Passed to class-validator as the constraint's argument, it lets
 * compiled rules call it directly: without class-validator's description of the question, an upload takes half as long.
 */
export class ValueRule {
  constructor(readonly passes: (value: unknown) => boolean) {}
}
