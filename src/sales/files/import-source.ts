/** Where an hour belongs: the profile and the tills of the import that wrote it. */
export interface ImportSource {
  readonly profile: string;
  readonly tills: readonly string[];
}

/** Says why figures of one source are not those of another; undefined if only their tills may differ. */
export function differenceOf(one: ImportSource, other: ImportSource): string | undefined {
  if (one.profile !== other.profile) return 'read by another profile';
  return (one.tills.length === 0) === (other.tills.length === 0)
    ? undefined
    : 'one of them names no till';
}
