/** The mark of the product: hours as bars. */
export function Mark() {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="6" fill="var(--accent)" />
      <path
        d="M6 15v-4M11 15V6M16 15v-6"
        stroke="var(--on-accent)"
        stroke-width="2.4"
        stroke-linecap="round"
      />
    </svg>
  );
}
