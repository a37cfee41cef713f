import { ApiError } from './api/service.js';

/**
 * Loads code that the first view does not need, and tries again from another address: a browser
 * remembers that an address could not be loaded. Says whether the service is away or was renewed.
 */
export async function loadLater<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    const [address] = /http\S+\.js/.exec(String(error)) ?? [];
    if (address === undefined) throw error;
    const again = `${address}?again=${Date.now()}`;
    const response = await fetch(again).catch(() => undefined);
    if (!response) throw new ApiError('The service cannot be reached.', 0);
    if (response.status === 404)
      throw new Error('The service was renewed since this page was opened: reload the page.');
    return (await import(/* @vite-ignore */ again)) as Code;
  }
}

/** Loads the views that the first one does not need. */
export const loadMore = () => loadLater(() => import('./more-views.js'));
