import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface DetailsProps {
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Shows more on demand; it is rendered while it is open, as a view may have a thousand of them. */
export function Details({ summary, children }: DetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}
