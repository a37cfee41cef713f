import type { LoginResponse } from '../../../src/auth/tokens/sessions.dto.js';
import { countText } from '../amounts.js';
import { momentText, placeOf } from '../dates.js';
import { type Query, queryOf } from '../route.js';
import { begin, currentSession, endSession, leaveSession, type Session } from './session.js';
import type { UploadResponse } from './shapes.js';

type Path = `/api/v1/${string}`;

interface Options {
  readonly query?: Query;
  /** An object, or JSON that has been written already. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends a request whose view was left. */
  readonly signal?: AbortSignal | undefined;
  /** Reads the response; `JSON.parse` unless it has amounts, which have more digits than numbers. */
  readonly parse?: (json: string) => unknown;
}

/** A response other than 200, in words for people. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
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

export async function signIn(username: string, password: string, code?: string): Promise<void> {
  const credentials = { grant_type: 'password', username, password, ...(code && { code }) };
  beginSession(username, await post<LoginResponse>('/api/v1/auth/login', credentials));
}

/** Begins a session with what any way to sign in has answered. */
export function beginSession(
  username: string,
  response: LoginResponse,
  told: Session['told'] = (timeZone) => lastSignIn(response, timeZone),
): void {
  const { access_token: token, restricted } = response;
  begin({ username, token, ...(restricted && { restricted }), told });
}

/** Says when and from where the user signed in before; nothing at the first time. */
function lastSignIn(response: LoginResponse, timeZone: string): string {
  const { last_login_at: at, last_login_address: address, failed_since: failed = 0 } = response;
  if (!at) return '';
  const failures = `${countText(failed, 'sign-in has', 'sign-ins have')} failed since then.`;
  const moment = `${momentText(String(at), timeZone)}, time of ${placeOf(timeZone)}`;
  return `Your last sign-in: ${moment}, from ${address ?? 'an unknown address'}. ${failed > 0 ? failures : ''}`;
}

const UNCONFIRMED =
  'You are signed out here. The service did not confirm it: the session ends there within two hours.';

/** Revokes the token, or all of the user's, and forgets it even if that fails. */
export async function signOut(everywhere = false): Promise<void> {
  const body = everywhere ? { all: true } : {};
  await post('/api/v1/auth/revoke', body).then(
    () => leaveSession(everywhere ? 'You are signed out everywhere.' : 'You are signed out.'),
    () => currentSession() && leaveSession(UNCONFIRMED),
  );
}

/** Goes on with a new token, as the others of this user have ended. */
export const renewSession = (response: LoginResponse): void =>
  beginSession(currentSession()!.username, response);

/** Reads JSON with amounts: its numbers are the digits that were sent. */
export const read = <Body>(path: Path, query: Query = {}, options: Options = {}): Promise<Body> =>
  send('GET', path, { query, parse: parseExact, ...options });

/** Reads JSON whose numbers stay numbers. */
export const readPlain = <Body>(path: Path): Promise<Body> => send('GET', path);

/** Reads a list that the service sends in pages, or the first pages of it. */
export async function readPages<Body extends { readonly next?: string | number | null }>(
  path: Path,
  query: Query,
  options?: Options,
  maxPages = Infinity,
): Promise<Body[]> {
  const pages: Body[] = [];
  do {
    pages.push(await read<Body>(path, { ...query, after: pages.at(-1)?.next }, options));
  } while (pages.at(-1)!.next && pages.length < maxPages);
  return pages;
}

/** Reads a file; one that is cut off is an error. */
export async function readFile(path: Path, query: Query, signal: AbortSignal): Promise<Blob> {
  const response = await fetchFrom('GET', path, { query, signal });
  return response.blob().catch(() => {
    throw new ApiError('The file did not come whole: download it again.', 0);
  });
}

export const post = <Body>(path: Path, body: object): Promise<Body> => send('POST', path, { body });

export const put = <Body>(path: Path, body: object): Promise<Body> => send('PUT', path, { body });

export const sendDelete = <Body>(path: Path, body: object = {}): Promise<Body> =>
  send('DELETE', path, { body });

/** Tries or saves an upload; its source is a text, and of files their profile and tills too. */
export function upload(
  body: object | string,
  query: Query,
  source: string,
  importSource?: object,
): Promise<UploadResponse> {
  const headers = {
    'X-Upload-Source': encodeURIComponent(source),
    ...(importSource && { 'X-Import-Source': encodeURIComponent(JSON.stringify(importSource)) }),
  };
  const options = { query, body, headers, parse: parseExact };
  return send('POST', '/api/v1/sales/upload-daily', options);
}

async function send<Body>(method: string, path: Path, options: Options = {}): Promise<Body> {
  const response = await fetchFrom(method, path, options);
  const body: unknown = await response
    .text()
    .then(options.parse ?? JSON.parse)
    .catch(() => undefined);
  if (body === undefined) throw new ApiError('The answer of the service did not come whole.', 0);
  return body as Body;
}

/** Sends a request with the token; one that is not valid any more ends the session. */
async function fetchFrom(method: string, path: Path, options: Options): Promise<Response> {
  const { query = {}, body, signal = null } = options;
  const session = currentSession();
  if (!session && !/\/auth\/(ways|login|company)/.test(path))
    throw new ApiError('Nobody is signed in.', 401);
  const authorization = session && { Authorization: `Bearer ${session.token}` };
  const headers = { 'Content-Type': 'application/json', ...authorization, ...options.headers };
  const json = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
  const response = await fetch(path + queryOf(query), {
    method,
    headers,
    body: json,
    signal,
  }).catch(() => {
    throw new ApiError('The service cannot be reached.', 0);
  });
  if (response.status === 401 && session && session === currentSession()) endSession();
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  const code = response.headers.get('X-Error-Code') ?? '';
  throw new ApiError(wordsOf(response.status, code, error), response.status, code);
}

/** The service's own words where a person can act on them, and the page's where only a program can. */
function wordsOf(status: number, code: string, said: string | undefined): string {
  if (code === 'company_provider_away' && said) return said;
  if (status === 503) return 'The service is busy at the moment.';
  if (status >= 500) return 'The service could not answer just now.';
  const inMinutes = (seconds: string): string => `${Math.ceil(parseInt(seconds) / 60)} minutes`;
  return said?.replace(/\d{3,} seconds/, inMinutes) ?? `The service sent status ${status}.`;
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON, and keeps the digits of its numbers. */
function parseExact(json: string): unknown {
  const quoted = (part: string): string => (part.startsWith('"') ? part : `"${part}"`);
  return JSON.parse(json.replace(STRING_OR_NUMBER, quoted));
}
