import { countText, numberText } from '../amounts.js';

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

/** Says how many restaurants are shown, and of how many. */
export function FoundOf({ found, all }: { found: number; all: number }) {
  return (
    <span role="status">
      {found < all && `${numberText(found)} of `}
      {countText(all, 'restaurant')}
    </span>
  );
}
