import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './schema.js';

export interface Session {
  readonly username: string;
  readonly token: string;
}

/** A response other than 200; the message is the service's. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly body?: unknown,
  ) {
    super(message);
  }
}

interface Result<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

let current: Session | undefined;
let onChange: (session: Session | undefined, reason?: string) => void = () => undefined;

const bearer: Middleware = {
  onRequest({ request }) {
    if (current) request.headers.set('Authorization', `Bearer ${current.token}`);
  },
  onResponse({ request, response }) {
    if (response.status === 401 && request.headers.has('Authorization')) end('Your session has ended. Sign in again.');
  },
  onError() {
    return new ApiError('The service cannot be reached.', 0);
  },
};

/** The service's API, with the token of the session. */
export const api = createClient<paths>({ baseUrl: new URL('/', location.href).href });
api.use(bearer);

/** Calls back whenever a session begins or ends. */
export function onSessionChange(callback: typeof onChange): void {
  onChange = callback;
}

export async function signIn(username: string, password: string): Promise<void> {
  const body = { grant_type: 'password', username, password } as const;
  const { access_token: token, expires_in } = unwrap(await api.POST('/api/v1/auth/login', { body }));
  current = { username, token };
  const expiring = current;
  setTimeout(() => current === expiring && end('Your session has ended. Sign in again.'), expires_in * 1000);
  onChange(current);
}

/** Revokes the token, and forgets it even if that fails. */
export async function signOut(): Promise<void> {
  try {
    unwrap(await api.POST('/api/v1/auth/revoke', { body: {} }));
    end('You are signed out.');
  } catch {
    end('You are signed out here. The service did not confirm it: the session ends there within two hours.');
  }
}

function end(reason: string): void {
  if (!current) return;
  current = undefined;
  onChange(undefined, reason);
}

/** Returns the data of a response, or throws its error. */
export function unwrap<Data>({ data, error, response }: Result<Data>): Data {
  if (response.ok && data !== undefined) return data;
  const message = hasText(error) ? error.error : `The service sent status ${response.status}.`;
  throw new ApiError(message, response.status, error);
}

function hasText(body: unknown): body is { readonly error: string } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
}
