import type { Beside, Check, Place } from './check.js';
import type { ListRule } from './list-rule.js';
import type { ObjectCheck } from './object-check.js';

/** No honest request is deeper; a hostile one must not exhaust the stack. */
const MAX_DEPTH = 32;

/** An object with rules of its own, or a list of such objects and the rules across it. */
export class NestedCheck implements Check {
  constructor(
    private readonly item: ObjectCheck,
    private readonly rules: readonly ListRule[],
    /** What is said of a value that is no object. */
    private readonly textFor: (value: unknown, path: string) => string,
  ) {}

  passes(value: unknown, depth: number): boolean {
    if (!this.entryPasses(value, depth)) return false;
    return !Array.isArray(value) || this.rules.every((rule) => rule.holds(value));
  }

  /** As in class-validator, a list within a list stands for its entries. */
  private entryPasses(value: unknown, depth: number): boolean {
    if (value === undefined) return true;
    if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return false;
    if (!Array.isArray(value)) return this.item.passes(value, depth + 1);
    for (const entry of value) {
      if (!this.entryPasses(entry, depth + 1)) return false;
    }
    return true;
  }

  explain(value: unknown, at: Place): void {
    const judges = this.rules.map((rule) => ({ field: rule.field, judge: rule.judge(at.path) }));
    this.explainEntry(value, at, (index) => (field, fieldValue) => {
      const asked = judges.filter((rule) => rule.field === field);
      return asked.flatMap(({ judge }) => judge(index, fieldValue) ?? []);
    });
  }

  private explainEntry(value: unknown, at: Place, besideAt?: (index: number) => Beside, beside?: Beside): void {
    const { path, depth, faults } = at;
    if (value === undefined) return;
    if (typeof value !== 'object' || value === null) faults.add(() => this.textFor(value, path));
    else if (depth >= MAX_DEPTH) faults.add(() => `${path} is nested too deeply`);
    else if (!Array.isArray(value)) this.item.explain(value, { ...at, depth: depth + 1 }, beside);
    else {
      value.forEach((entry: unknown, index) => {
        this.explainEntry(entry, { path: `${path}[${index}]`, depth: depth + 1, faults }, undefined, besideAt?.(index));
      });
    }
  }
}
