import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly close: () => void;
}

/** Shows a modal dialog; Escape closes it, and the browser keeps the focus in it. */
export function Dialog({ title, children, close }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={close}>
      <div class="card-head">
        <h2>{title}</h2>
        <div class="actions">
          <button type="button" class="quiet" aria-label="Close" onClick={close}>
            ✕
          </button>
        </div>
      </div>
      {children}
    </dialog>
  );
}
