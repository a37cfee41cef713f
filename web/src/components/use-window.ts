import { options } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKept } from '../route.js';
import { useEvents } from '../use-events.js';

/** Rows that are rendered above and below those that are seen, when these are rendered anew. */
const MARGIN_ROWS = 12;
/** A list up to so many cells is rendered as a whole: 60 rows of twelve. */
const SHORT_LIST = 720;

/** Says which rows of a long list are to be rendered, by the cells of each; on paper, all of them. */
export function useWindow(count: number, rowHeight: number, name: string, cells = 12) {
  const frame = useRef<HTMLDivElement>(null);
  const [kept, keep] = useKept(`scroll of ${name}`, 0);
  // The styles let a list be three quarters as high as the window; a higher one is filled after.
  const [seen, setSeen] = useState<readonly [first: number, end: number]>(() => {
    const first = Math.floor(kept / rowHeight);
    return [first, first + Math.ceil((innerHeight * 0.75) / rowHeight) + 1];
  });
  const isWhole = usePrinting() || count * cells <= SHORT_LIST;
  const update = (): void => {
    const element = frame.current;
    if (!element) return;
    const top = Math.floor(element.scrollTop / rowHeight);
    const bottom = top + Math.ceil(element.clientHeight / rowHeight) + 1;
    setSeen((before) => {
      const isRendered = before[0] <= top && before[1] >= Math.min(bottom, count);
      return isRendered ? before : [Math.max(top - MARGIN_ROWS, 0), bottom + MARGIN_ROWS];
    });
  };
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onScroll = (): void => {
    if (!isWhole) update();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => keep(frame.current?.scrollTop ?? 0), 100);
  };
  useLayoutEffect(() => {
    if (kept > 0) frame.current?.scrollTo({ top: kept });
    return () => clearTimeout(timer.current);
  }, []);
  // To ask for the height before the browser has drawn costs a layout of its own: only a list that
  // was scrolled, which may have become shorter, is looked at before.
  useLayoutEffect(() => {
    if (seen[0] > 0) update();
  }, [count]);
  useEffect(update, [count]);
  useEvents(['resize'], update);
  const first = isWhole ? 0 : Math.min(seen[0], Math.max(count - 1, 0));
  const end = isWhole ? count : Math.min(seen[1], count);
  return { frame, first, end, onScroll };
}

/** Renders at once when printing begins: the browser draws the paper right after the event. */
export function usePrinting(): boolean {
  const print = matchMedia('print');
  const [isPrinting, setPrinting] = useState(print.matches);
  const set = (next: boolean): void => {
    const usual = Object.getOwnPropertyDescriptor(options, 'debounceRendering');
    options.debounceRendering = (render) => render();
    setPrinting(next);
    if (usual) Object.defineProperty(options, 'debounceRendering', usual);
    else delete options.debounceRendering;
  };
  useEvents(['beforeprint', 'afterprint'], ({ type }) => set(type === 'beforeprint'));
  useLayoutEffect(() => {
    const change = (): void => set(print.matches);
    print.addEventListener('change', change);
    return () => print.removeEventListener('change', change);
  }, []);
  return isPrinting;
}
