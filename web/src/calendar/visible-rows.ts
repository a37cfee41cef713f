import { options, type RefObject } from 'preact';
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
  const [view, setView] = useState({ top: 0, height: 800 });
  const isPrinting = useIsPrinting();
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
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
  if (isPrinting) return { first: 0, last: count, show };
  const first = Math.max(Math.min(Math.floor(view.top / ROW_HEIGHT), count) - SPARE_ROWS, 0);
  return { first, last: Math.min(first + Math.ceil(view.height / ROW_HEIGHT) + 2 * SPARE_ROWS, count), show };
}

function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const update = ({ type }: Event): void => renderAtOnce(() => setPrinting(type === 'beforeprint'));
    for (const type of ['beforeprint', 'afterprint']) addEventListener(type, update);
    return () => {
      for (const type of ['beforeprint', 'afterprint']) removeEventListener(type, update);
    };
  }, []);
  return isPrinting;
}

/** The browser prints right after the event. */
function renderAtOnce(update: () => void): void {
  const before: unknown = Reflect.get(options, 'debounceRendering');
  options.debounceRendering = (render) => render();
  update();
  Reflect.set(options, 'debounceRendering', before);
}
