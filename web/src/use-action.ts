import { useState } from 'preact/hooks';
import { useEvents } from './use-events.js';

/** Does one thing at a time; says why it failed, or the text that it resolves to. */
export function useAction() {
  const [state, setState] = useState({ isBusy: false, problem: '', done: '' });
  // What failed without a session can be done again.
  useEvents(['signed-in'], () => setState((before) => ({ ...before, problem: '' })));
  const act = async (work: () => unknown): Promise<void> => {
    setState({ isBusy: true, problem: '', done: '' });
    try {
      const said = await work();
      setState({ isBusy: false, problem: '', done: typeof said === 'string' ? said : '' });
    } catch (error) {
      setState({ isBusy: false, problem: errorText(error), done: '' });
    }
  };
  return { ...state, act };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
