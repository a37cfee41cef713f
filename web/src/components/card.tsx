import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface CardProps {
  readonly title?: ComponentChildren;
  readonly note?: ComponentChildren;
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

interface NoticeProps {
  /** `act`: somebody must act; `warn`: somebody should look; `good`; else it informs. */
  readonly kind?: 'act' | 'warn' | 'good' | 'info';
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Screen readers interrupt for an alert, and wait for a pause for a status. */
  readonly role?: 'alert' | 'status';
}

/** Says a thing that matters, with what can be done about it. */
export function Notice({ kind = 'info', children, actions, role }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={role}>
      <div>{children}</div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/** Shows more on demand; it is rendered while it is open, as a view may have a thousand of them. */
export function Details({ summary, children }: Record<'summary' | 'children', ComponentChildren>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}
