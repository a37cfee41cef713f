import type {
  BeginCompanyLoginResponse,
  CompanyLoginResponse,
  LoginWaysResponse,
} from '../../../src/auth/company/company.dto.js';
import { beginSession, post, readPlain } from './service.js';
import { keep, noteCompany, recall } from './session.js';

/** The tab that begins keeps what the service signed, and the view to come back to. */
interface Pending {
  readonly login: string;
  readonly view: string;
  /** Whether another tab has the view with what was typed. */
  readonly isNewTab: boolean;
}

const GO_ON =
  'You are signed in. What you typed is in the tab that you came from: go on there, and close this one.';

export async function readWays(): Promise<LoginWaysResponse> {
  const ways = await readPlain<LoginWaysResponse>('/api/v1/auth/ways');
  if (ways.company) noteCompany();
  return ways;
}

const pending = recall(() => sessionStorage, 'company-login') as Pending | undefined;

/** What the provider sent the browser back with, taken out of the address before it is read there. */
const answer = takeAnswer();

function takeAnswer(): string | undefined {
  const given = [location.search, location.hash].map((part) => part.slice(1));
  const found = given.find((part) => /(^|&)(code|error)=/.test(part));
  if (found !== undefined)
    history.replaceState(null, '', location.pathname + (pending?.view ?? ''));
  return found;
}

/** What completes a sign-in, once: the provider has just sent the browser back to a tab that began. */
let returned = answer !== undefined && pending && { login: pending.login, answer };

/** Leaves the page for the provider; a view with typed text waits for a new tab to sign in. */
export async function beginCompanySignIn(keepsView: boolean): Promise<void> {
  const hasLeft = recall(() => localStorage, 'left') !== undefined;
  const { authorization_url: url, login } = await post<BeginCompanyLoginResponse>(
    '/api/v1/auth/company/begin',
    { prompt: hasLeft ? 'login' : 'continue' },
  );
  keep(() => sessionStorage, 'company-login', { login, view: location.hash, isNewTab: keepsView });
  if (keepsView) open(url);
  else location.assign(url);
}

export async function completeCompanySignIn(): Promise<void> {
  if (!returned) return;
  const body = returned;
  returned = undefined;
  sessionStorage.removeItem('company-login');
  const response = await post<CompanyLoginResponse>('/api/v1/auth/company/complete', body);
  beginSession(response.username, response, pending?.isNewTab ? () => GO_ON : undefined);
  localStorage.removeItem('left');
}
