interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly search: (text: string) => void;
}

/** A field that filters what is below it while one types. */
export function Search({ label, value, search }: SearchProps) {
  return (
    <input
      type="search"
      class="search no-print"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => search(currentTarget.value)}
    />
  );
}
