import type { LoginResponse as Login } from '../../../src/auth/tokens/sessions.dto.js';
import { begin, currentSession, endSession, leaveSession } from './session.js';

export { keep, recall } from './session.js';

/** As the page reads it: numbers are the digits that were sent. */
type LoginResponse = Omit<Login, 'failed_since'> & { readonly failed_since?: string | number };

type Path = `/api/v1/${string}`;
type Parse = (json: string) => unknown;
type Query = Readonly<Record<string, string | number | boolean>>;

/** A response other than 200, in words for people. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** The status of the response; 0 if there was none. */
    readonly status: number,
    /** Pointers to the fields that the service rejects. */
    readonly fields = '',
    /** The word for programs. */
    readonly code = '',
  ) {
    super(message);
  }
}

/**
 * Whether the same request may succeed a little later: without a network, after signing in again,
 * or once the service has less to do.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return [0, 401, 408, 429].includes(error.status) || error.status >= 500;
}

const UNCONFIRMED =
  'You are signed out here. The service did not confirm it: the session ends there within two hours.';

export async function signIn(username: string, password: string, code?: string): Promise<void> {
  const credentials = { grant_type: 'password', username, password, ...(code && { code }) };
  beginSession(username, await post<LoginResponse>('/api/v1/auth/login', credentials));
}

/** Begins a session with what any way to sign in has answered. */
export function beginSession(username: string, response: LoginResponse): void {
  const {
    access_token: token,
    restricted,
    last_login_at: at,
    failed_since: failed = '0',
  } = response;
  const where = response.last_login_address ?? 'an unknown address';
  const failures = Number(failed) > 0 ? ` ${failed} logins have failed since then.` : '';
  const told =
    at && `Your last sign-in: ${new Date(at).toLocaleString()} from ${where}.${failures}`;
  begin({ username, token, ...(restricted && { restricted }), ...(told && { told }) });
}

/** Revokes the token, or all of the user's, and forgets it even if that fails. */
export async function signOut(everywhere = false): Promise<void> {
  const body = everywhere ? { all: true } : {};
  await post('/api/v1/auth/revoke', body).then(
    () => leaveSession(everywhere ? 'You are signed out everywhere.' : 'You are signed out.'),
    () => currentSession() && leaveSession(UNCONFIRMED),
  );
}

/** Changes the password; all other sessions end, and the tabs of this browser go on. */
export async function changePassword(current: string, next: string): Promise<void> {
  const body = { current_password: current, new_password: next };
  const path = '/api/v1/auth/password';
  beginSession(currentSession()!.username, await post<LoginResponse>(path, body));
}

interface ReadOptions {
  /** Ends a request whose view was left. */
  readonly signal?: AbortSignal | undefined;
  /** `JSON.parse` lets numbers be numbers, where none is an amount. */
  readonly parse?: Parse;
}

export function read<Body>(path: Path, query: Query = {}, options?: ReadOptions): Promise<Body> {
  return send<Body>(addressOf(path, query), {}, options);
}

function addressOf(path: Path, query: Query): string {
  const asked = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return asked.length > 0 ? `${path}?${new URLSearchParams(asked).toString()}` : path;
}

/** Reads a file; one that is cut off is an error. */
export async function readFile(path: Path, query: Query, signal: AbortSignal): Promise<Blob> {
  const response = await fetchFrom(addressOf(path, query), {}, signal);
  if (!response.ok) throw await errorOf(response);
  return response.blob().catch(() => {
    throw new ApiError('The file did not come whole: download it again.', 0);
  });
}

/** Reads JSON whose numbers stay numbers: it holds no amounts. */
export const readPlain = <Body>(path: Path): Promise<Body> =>
  read<Body>(path, {}, { parse: JSON.parse });

/** Reads a list that the service sends in pages. */
export async function readPages<Body>(
  path: Path,
  query: Query,
  options?: ReadOptions,
): Promise<Body[]> {
  const pages: Body[] = [];
  let after: string | number | null | undefined;
  do {
    const asked = { ...query, ...(after && { after }) };
    const page = await read<Body & { next?: string | number | null }>(path, asked, options);
    pages.push(page);
    after = page.next;
  } while (after);
  return pages;
}

interface Request {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface PostOptions {
  readonly query?: string;
  /** Where the figures of an upload come from, such as the name of a file. */
  readonly source?: string;
  /** The profile and the tills of figures that were read from files. */
  readonly importSource?: { readonly profile: string; readonly tills: readonly string[] };
}

/** Sends JSON; a text is taken for JSON that has been written already. */
export function post<Body>(
  path: Path,
  body: object | string,
  { query = '', source, importSource }: PostOptions = {},
): Promise<Body> {
  const encoded = (value: object): string => encodeURIComponent(JSON.stringify(value));
  const headers = {
    ...(source !== undefined && { 'X-Upload-Source': encodeURIComponent(source) }),
    ...(importSource && { 'X-Import-Source': encoded(importSource) }),
  };
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  return send<Body>(path + query, { method: 'POST', body: json, headers });
}

export function sendDelete<Body>(path: Path, body: object = {}): Promise<Body> {
  return send<Body>(path, { method: 'DELETE', body: JSON.stringify(body) });
}

export function put<Body>(path: Path, body: object): Promise<Body> {
  return send<Body>(path, { method: 'PUT', body: JSON.stringify(body) });
}

async function send<Body>(
  address: string,
  request: Request = {},
  { signal, parse = parseExact }: ReadOptions = {},
): Promise<Body> {
  const response = await fetchFrom(address, request, signal);
  if (!response.ok) throw await errorOf(response);
  const body = await response
    .text()
    .then(parse)
    .catch(() => undefined);
  if (body === undefined) throw new ApiError('The answer of the service did not come whole.', 0);
  return body as Body;
}

/** Sends a request with the token; one that is not valid any more ends the session. */
async function fetchFrom(address: string, request: Request, signal: AbortSignal | undefined) {
  const session = currentSession();
  const authorization = session && { Authorization: `Bearer ${session.token}` };
  const headers = { 'Content-Type': 'application/json', ...authorization, ...request.headers };
  const init = { ...request, headers, ...(signal && { signal }) };
  const response = await fetch(address, init).catch(() => undefined);
  if (!response) throw new ApiError('The service cannot be reached.', 0);
  if (response.status === 401 && session && session === currentSession()) endSession();
  return response;
}

async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  const code = headers.get('X-Error-Code') ?? '';
  return new ApiError(wordsOf(status, body.error), status, pointersOf(response), code);
}

const pointersOf = (response: Response): string => response.headers.get('X-Error-Fields') ?? '';

/** The service's own words where a person can act on them, and the page's where only a program can. */
function wordsOf(status: number, said: string | undefined): string {
  if (status === 503) return 'The service is busy at the moment.';
  if (status >= 500) return 'The service could not answer just now.';
  return said?.replace(/\d{3,} seconds/, inMinutes) ?? `The service sent status ${status}.`;
}

const inMinutes = (seconds: string): string => `${Math.ceil(parseInt(seconds) / 60)} minutes`;

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON, and keeps the digits of its numbers. */
function parseExact(json: string): unknown {
  const quoted = (part: string): string => (part.startsWith('"') ? part : `"${part}"`);
  return JSON.parse(json.replace(STRING_OR_NUMBER, quoted));
}
