import type { ComponentChildren } from 'preact';

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
