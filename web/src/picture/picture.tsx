import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DrawOptions } from './draw.js';

type PictureProps = Omit<DrawOptions, 'width'>;

/** Draws with Observable Plot, which is loaded with the first picture. */
export function Picture({ title, ...options }: PictureProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let width = 0;
    const draw = async (): Promise<void> => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      const { drawPicture } = await import('./draw.js');
      element.replaceChildren(drawPicture({ title, ...options, width }));
    };
    const observer = new ResizeObserver(() => void draw());
    observer.observe(element);
    return () => observer.disconnect();
  }, [JSON.stringify(options.values)]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div ref={frame} class={`picture ${options.kind}`} />
    </figure>
  );
}
