import { options } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows that are rendered above and below those that are seen. */
const MARGIN_ROWS = 8;
/** A list up to this length is rendered as a whole. */
const SHORT_LIST = 60;
const FIRST_ROWS = 40;

/** Says which rows of a long list are to be rendered; on paper, all of them. */
export function useWindow(count: number, rowHeight: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<readonly [first: number, end: number]>([0, FIRST_ROWS]);
  const isPrinting = usePrinting();
  const isWhole = isPrinting || count <= SHORT_LIST;
  const update = (): void => {
    const element = frame.current;
    if (!element) return;
    const first = Math.max(Math.floor(element.scrollTop / rowHeight) - MARGIN_ROWS, 0);
    const rows = Math.ceil(element.clientHeight / rowHeight) + 2 * MARGIN_ROWS;
    setSeen((before) => {
      const isSame = before[0] === first && before[1] === first + rows;
      return isSame ? before : [first, first + rows];
    });
  };
  useLayoutEffect(update, [count]);
  const first = isWhole ? 0 : Math.min(seen[0], Math.max(count - 1, 0));
  const end = isWhole ? count : Math.min(seen[1], count);
  return { frame, first, end, onScroll: isWhole ? undefined : update };
}

/** Renders at once when printing begins: the browser draws the paper right after the event. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches);
  useLayoutEffect(() => {
    const print = matchMedia('print');
    const set = (next: boolean) => (): void => {
      const usual = Object.getOwnPropertyDescriptor(options, 'debounceRendering');
      options.debounceRendering = (render) => render();
      setPrinting(next);
      if (usual) Object.defineProperty(options, 'debounceRendering', usual);
      else delete options.debounceRendering;
    };
    const [begin, end] = [set(true), set(false)];
    const change = (): void => (print.matches ? begin() : end());
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    print.addEventListener('change', change);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      print.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
