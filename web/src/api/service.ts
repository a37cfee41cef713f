import type { paths } from './schema.js';

/** A type with the digits that were sent for each number: amounts have more than numbers hold. */
export type Exact<T> = T extends number
  ? string
  : T extends readonly (infer Entry)[]
    ? Exact<Entry>[]
    : T extends object
      ? { [Key in keyof T]: Exact<T[Key]> }
      : T;

type Get<Path extends keyof paths> = NonNullable<paths[Path]['get']>;
type Post<Path extends keyof paths> = NonNullable<paths[Path]['post']>;
type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? Query : never;
type BodyOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Exact<Body>
  : never;

/** A response other than 200, with the service's own message. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** Pointers to the fields that the service rejects. */
    readonly fields = '',
  ) {
    super(message);
  }
}

export interface Session {
  readonly username: string;
  readonly token: string;
}

const ENDED = 'Your session has ended. Sign in again.';
const UNCONFIRMED =
  'You are signed out here. The service did not confirm it: the session ends there within two hours.';

let onChange: (session: Session | undefined, reason?: string) => void = () => undefined;
/** The browser keeps the session of a tab over a reload, and forgets it with the tab. */
let current = recall(() => sessionStorage, 'session') as Session | undefined;

export const currentSession = (): Session | undefined => current;

/** Calls back whenever a session begins or ends. */
export function onSessionChange(callback: typeof onChange): void {
  onChange = callback;
}

export async function signIn(username: string, password: string): Promise<void> {
  const credentials = { grant_type: 'password', username, password };
  const { access_token: token } = await post('/api/v1/auth/login', credentials);
  change({ username, token });
}

/** Revokes the token, and forgets it even if that fails. */
export async function signOut(): Promise<void> {
  await post('/api/v1/auth/revoke', {}).then(
    () => change(undefined, 'You are signed out.'),
    () => current && change(undefined, UNCONFIRMED),
  );
}

function change(session: Session | undefined, reason?: string): void {
  current = session;
  keep(() => sessionStorage, 'session', session ?? null);
  onChange(session, reason);
}

export function get<Path extends keyof paths>(path: Path, query?: QueryOf<Get<Path>>) {
  const asked = Object.entries({ ...query }).map(([name, value]) => [name, String(value)]);
  return send<BodyOf<Get<Path>>>(`${path}?${new URLSearchParams(asked).toString()}`);
}

/** Reads a list that the service sends in pages. */
export async function getPages<Path extends keyof paths>(path: Path, query: QueryOf<Get<Path>>) {
  type Page = BodyOf<Get<Path>> & { readonly next?: string | null };
  const pages: Page[] = [];
  let after: string | null | undefined;
  do {
    const page = (await get(path, { ...query, ...(after && { after }) })) as Page;
    pages.push(page);
    after = page.next;
  } while (after);
  return pages;
}

export function post<Path extends keyof paths>(path: Path, body: object, query = '') {
  return send<BodyOf<Post<Path>>>(path + query, { method: 'POST', body: JSON.stringify(body) });
}

async function send<Body>(address: string, request: RequestInit = {}): Promise<Body> {
  const session = current;
  const authorization = session && { Authorization: `Bearer ${session.token}` };
  const headers = { 'Content-Type': 'application/json', ...authorization };
  const response = await fetch(address, { ...request, headers }).catch(() => undefined);
  if (!response) throw new ApiError('The service cannot be reached.', 0);
  if (response.status === 401 && session && session === current) change(undefined, ENDED);
  const body = await response
    .text()
    .then(parseExact)
    .catch(() => undefined);
  if (response.ok && body !== undefined) return body as Body;
  const error = (body as { error?: string } | undefined)?.error;
  const message = error ?? `The service sent status ${response.status}.`;
  throw new ApiError(message, response.status, response.headers.get('X-Error-Fields') ?? '');
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON, and keeps the digits of its numbers. */
function parseExact(json: string): unknown {
  const quoted = (part: string): string => (part.startsWith('"') ? part : `"${part}"`);
  return JSON.parse(json.replace(STRING_OR_NUMBER, quoted));
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
