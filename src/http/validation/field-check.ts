import type { Check, Place } from './check.js';
import type { Constraint } from './compile-constraint.js';

/** Whether a field's rules are asked at all, as `@ValidateIf` has it. */
export type Condition = (object: object, value: unknown) => boolean;

/** The rules of one field: its constraints in order, of which the first broken one is told, then what it holds. */
export class FieldCheck {
  private readonly isInherited: boolean;

  constructor(
    readonly name: string,
    private readonly conditions: readonly Condition[],
    private readonly constraints: readonly Constraint[],
    private readonly nested: Check | undefined,
  ) {
    this.isInherited = name in Object.prototype;
  }

  /** Own properties only: a field called `valueOf` is missing when the client did not send it. */
  valueIn(object: object): unknown {
    if (this.isInherited && !Object.hasOwn(object, this.name)) return undefined;
    return (object as Readonly<Record<string, unknown>>)[this.name];
  }

  passes(object: object, depth: number): boolean {
    const value = this.valueIn(object);
    for (const condition of this.conditions) {
      if (!condition(object, value)) return true;
    }
    for (const constraint of this.constraints) {
      if (!constraint.passes(value, object)) return false;
    }
    return this.nested === undefined || this.nested.passes(value, depth);
  }

  /** Tells what is wrong with a field that did not pass. */
  explain(object: object, at: Place): void {
    const value = this.valueIn(object);
    const path = at.path === '' ? this.name : `${at.path}.${this.name}`;
    const broken = this.constraints.find((constraint) => !constraint.passes(value, object));
    if (broken) at.faults.add(() => broken.text(value, object, path), broken.status);
    else this.nested?.explain(value, { ...at, path });
  }
}
