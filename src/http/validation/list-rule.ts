import { validateSync } from 'class-validator';

/** Is asked once for every valid value, in the order of the list, and says what is wrong with it beside those before. */
export type Judge = (index: number, value: unknown) => string | undefined;

/**
 * A rule across one field of a list's entries. It is asked only about values that keep the field's own rules, so that
 * a missing hour is told as missing and not as a repeat too, and is told beside the entries' other faults.
 */
export class ListRule {
  /**
   * The property under which class-validator keeps it. A path of its own, because class-validator looks into the
   * entries of a list only while nothing is wrong with the list itself.
   */
  readonly path: string;

  constructor(
    readonly list: string,
    readonly field: string,
    private readonly start: (path: string) => Judge,
  ) {
    this.path = `${list}[*].${field}`;
  }

  /** A judge for one pass over the list, which in the request is called `path`. */
  judge(path: string): Judge {
    const judge = this.start(path);
    return (index, value) => (value === undefined ? undefined : judge(index, value)); // left out, as it may be
  }

  /** Whether a list keeps the rule, all of its entries being valid by themselves. */
  holds(list: readonly unknown[]): boolean {
    const judge = this.judge(this.list);
    return list.every((entry, index) => judge(index, valueOf(entry, this.field)) === undefined);
  }

  /** The faults of `owner`'s list as class-validator's own executor is to tell them. */
  faultsIn(owner: object): string[] {
    const list = valueOf(owner, this.list);
    if (!Array.isArray(list)) return [];
    const judge = this.judge(this.list);
    return list.flatMap((entry: unknown, index) => {
      if (typeof entry !== 'object' || entry === null || this.isFaultyIn(entry)) return [];
      return judge(index, valueOf(entry, this.field)) ?? [];
    });
  }

  private isFaultyIn(entry: object): boolean {
    return validateSync(entry).some((error) => error.property === this.field);
  }
}

function valueOf(object: unknown, field: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[field];
}
