import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface CardProps {
  readonly title?: ComponentChildren;
  readonly note?: ComponentChildren;
  /** Controls at the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** The name of the region for screen readers, where it has no title. */
  readonly label?: string;
  readonly class?: string;
  /** Whether the title takes the focus: the card stands in the place of what was operated. */
  readonly hasFocus?: boolean;
}

/** Shows a part of a view with its title, a note and its controls. */
export function Card(props: CardProps) {
  const { title, note, actions, children, label, class: style = '', hasFocus = false } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasFocus) heading.current?.focus();
  }, []);
  return (
    <section class={`card ${style}`} aria-label={label}>
      {(title ?? actions) && (
        <div class="card-head">
          {title && (
            <h2 ref={heading} tabIndex={-1}>
              {title}
            </h2>
          )}
          {note && <span class="note">{note}</span>}
          {actions && <div class="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
