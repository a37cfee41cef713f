import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Renders its children after what stands before them was drawn, so that the first figures do not wait. */
export function Later({ children }: { children: ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true));
    return () => clearTimeout(timer);
  }, []);
  return isDue ? <>{children}</> : null;
}
