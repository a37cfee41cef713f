import type { Beside, Place } from './check.js';
import type { FieldCheck } from './field-check.js';

/** The rules of one DTO class. */
export class ObjectCheck {
  constructor(private readonly fields: readonly FieldCheck[]) {}

  passes(object: object, depth: number): boolean {
    for (const field of this.fields) {
      if (!field.passes(object, depth)) return false;
    }
    return true;
  }

  explain(object: object, at: Place, beside?: Beside): void {
    for (const field of this.fields) {
      if (!field.passes(object, at.depth)) field.explain(object, at);
      else beside?.(field.name, field.valueIn(object)).forEach((text) => at.faults.add(() => text));
    }
  }
}
