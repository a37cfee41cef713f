import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Makes a component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [problem, setProblem] = useState(false);
    const [, setLoaded] = useState(loaded !== undefined);
    const start = (): void => {
      setProblem(false);
      load().then(
        (component) => {
          loaded = component;
          setLoaded(true);
        },
        () => setProblem(true),
      );
    };
    useEffect(() => {
      if (!loaded) start();
    }, []);
    if (loaded) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (!problem) return <p role="status">Loading…</p>;
    return (
      <div class="notice" role="alert">
        <p>
          This part of the page did not load. The service may have been renewed: reload the page.
        </p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  };
}
