import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The heading of a view: names the window, and takes the focus so that screen readers announce the view. */
export function Heading({ text }: { readonly text: string }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · Hourly sales`;
  }, [text]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}
