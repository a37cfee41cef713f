/** A person who is signed in, and the token of the service. */
export interface Session {
  readonly username: string;
  readonly token: string;
  /** What has to be done before any view is shown, as the service's errors name it. */
  readonly restricted?: string;
  /** What this tab says once, of the sign-in before or of what to do, with times of a zone. */
  readonly told?: ((timeZone: string) => string) | undefined;
}

export type Ending = 'ended' | 'left';

type Listener = (session: Session | undefined, ending?: Ending, notice?: string) => void;

/** What the tabs of a browser tell each other; the token is never written to the disk. */
type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'left'; readonly username: string };

const channel = new BroadcastChannel('session');

/** Whether the provider has to ask the next person for the password anew, once this one has left. */
let usesCompany = false;
export const noteCompany = (): void => void (usesCompany = true);

let listener: Listener = () => undefined;
/** The browser keeps the session of a tab over a reload, and forgets it with the tab. */
let current = recall(() => sessionStorage, 'session') as Session | undefined;

export const currentSession = (): Session | undefined => current;

/** Calls back whenever a session begins or ends. */
export function onSessionChange(callback: Listener): void {
  listener = callback;
  if (current) callback(current); // another tab may have answered already
}

/** Begins a session, and hands it to the tabs that wait for one or have the same user's. */
export function begin(session: Session): void {
  set(session);
  channel.postMessage({ kind: 'session', session: current! } satisfies Message);
}

/** Ends the session of this tab because its token is not valid any more. */
export function endSession(): void {
  set(undefined, 'ended');
}

/** Forgets the session in all tabs of this user. */
export function leaveSession(notice: string): void {
  const username = current?.username;
  if (usesCompany) keep(() => localStorage, 'left', true);
  set(undefined, 'left', notice);
  if (username !== undefined) channel.postMessage({ kind: 'left', username } satisfies Message);
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'ask' && current)
    channel.postMessage({ kind: 'session', session: current } satisfies Message);
  if (data.kind === 'session' && (!current || current.username === data.session.username))
    if (current?.token !== data.session.token) set(data.session);
  if (data.kind === 'left' && current?.username === data.username)
    set(undefined, 'left', 'You signed out in another tab.');
});
// A new tab begins with the sign-in, until another tab hands on its session.
if (!current) channel.postMessage({ kind: 'ask' } satisfies Message);

function set(session: Session | undefined, ending?: Ending, notice?: string): void {
  current = session && { ...session, told: undefined };
  keep(() => sessionStorage, 'session', current ?? null);
  listener(session, ending, notice);
  if (session) dispatchEvent(new Event('signed-in')); // what failed without one is tried again
}

/** Reads JSON that the browser keeps; a browser may keep nothing, and throw. */
export function recall(storage: () => Storage, key: string): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps JSON in the browser; one that keeps nothing lets the page ask again after a reload. */
export function keep(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}
