import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly title?: ComponentChildren;
  readonly note?: ComponentChildren;
  /** Controls at the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** The name of the region for screen readers, where it has no title. */
  readonly label?: string;
  readonly class?: string;
}

/** Shows a part of a view with its title, a note and its controls. */
export function Card({ title, note, actions, children, label, class: style = '' }: CardProps) {
  return (
    <section class={`card ${style}`} aria-label={label}>
      {(title ?? actions) && (
        <div class="card-head">
          {title && <h2>{title}</h2>}
          {note && <span class="note">{note}</span>}
          {actions && <div class="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
