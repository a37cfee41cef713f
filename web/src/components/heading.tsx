import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAccount } from '../account.js';
import { timeText } from '../dates.js';
import type { Loaded } from '../use-load.js';

interface HeadingProps {
  readonly text: string;
  /** What the window is called, where that says more. */
  readonly title?: string;
  /** What the view shows, to say when it was loaded. */
  readonly of?: Loaded<unknown>;
  readonly children?: ComponentChildren;
  readonly controls?: ComponentChildren;
}

/** Names the window, until something else does. */
export function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} - Hourly Sales`;
    return () => void (document.title = before);
  }, [title]);
}

/** Shows the heading of a view, names the window, and takes the focus for screen readers. */
export function Heading({ text, title = text, of, children, controls }: HeadingProps) {
  const { timeZone } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [text]);
  return (
    <div class="heading">
      <div>
        <h1 ref={heading} tabIndex={-1} title={text}>
          <bdi>{text}</bdi>
        </h1>
        <p class="sub">
          {children}
          {of?.at !== undefined && ` · as of ${timeText(of.at, timeZone)}`}
        </p>
      </div>
      {controls && <div class="controls no-print">{controls}</div>}
    </div>
  );
}
