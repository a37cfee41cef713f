import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Of `.calendar .row` in styles.css. */
export const ROW_HEIGHT = 34;
const HEAD_HEIGHT = 48;

/** Rows before and after those in view, for scrolling without gaps. */
const SPARE_ROWS = 8;

export interface VisibleRows {
  readonly first: number;
  /** Not included. */
  readonly last: number;
  /** Scrolls a row into view. */
  readonly show: (row: number) => void;
}

export function useVisibleRows(frame: RefObject<HTMLElement | null>, count: number): VisibleRows {
  const [view, setView] = useState({ top: 0, height: 800, isPrinting: false });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): void =>
      setView(({ isPrinting }) => ({ top: element.scrollTop, height: element.clientHeight, isPrinting }));
    const print = ({ type }: Event): void => setView((before) => ({ ...before, isPrinting: type === 'beforeprint' }));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    for (const type of ['beforeprint', 'afterprint']) addEventListener(type, print);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
      for (const type of ['beforeprint', 'afterprint']) removeEventListener(type, print);
    };
  }, []);
  const show = (row: number): void => {
    const element = frame.current;
    if (!element) return;
    const lowest = row * ROW_HEIGHT;
    const highest = lowest + ROW_HEIGHT + HEAD_HEIGHT - element.clientHeight;
    element.scrollTop = Math.max(Math.min(element.scrollTop, lowest), highest);
    setView((before) => ({ ...before, top: element.scrollTop }));
  };
  if (view.isPrinting) return { first: 0, last: count, show };
  const first = Math.max(Math.min(Math.floor(view.top / ROW_HEIGHT), count) - SPARE_ROWS, 0);
  return { first, last: Math.min(first + Math.ceil(view.height / ROW_HEIGHT) + 2 * SPARE_ROWS, count), show };
}
