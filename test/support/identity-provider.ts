import { type ChildProcess, spawn } from 'node:child_process';
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(__dirname, 'run-identity-provider.mjs');

export const CLIENT = { COMPANY_LOGIN_CLIENT_ID: 'sales', COMPANY_LOGIN_CLIENT_SECRET: 'a secret' };

/** A provider of OpenID Connect as companies have one, in a process of its own. */
export class IdentityProvider {
  private constructor(
    readonly issuer: string,
    private readonly child: ChildProcess,
    private readonly key: KeyObject,
    private readonly kid: string,
  ) {}

  static async start(redirectUri: string, port = 0): Promise<IdentityProvider> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const kid = `key ${Math.random()}`;
    const jwk = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256' });
    const args = [PROGRAM, 'sales', 'a secret', redirectUri, String(port), jwk];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return new IdentityProvider(String(line).trim(), child, privateKey, kid);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill();
    await once(this.child, 'exit');
  }

  /** A token by which the provider says that a person has signed out. */
  logoutToken(claims: object, typ = 'logout+jwt'): string {
    const iat = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const given = { iss: this.issuer, aud: 'sales', iat, exp: iat + 120, jti: 'x', events };
    const parts = [
      { alg: 'RS256', kid: this.kid, typ },
      { ...given, ...claims },
    ];
    const signed = parts.map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'));
    const text = signed.join('.');
    return `${text}.${createSign('sha256').update(text).sign(this.key, 'base64url')}`;
  }
}

/** A browser without scripts: it follows redirects, keeps cookies and fills in the provider's forms. */
export class FormBrowser {
  private readonly cookies = new Map<string, string>();

  /** Signs in under a name; returns the answer with which the provider sends the browser back. */
  async signIn(url: string, name: string, page: string): Promise<string> {
    let at = url;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 20; step++) {
      const response = await fetch(at, {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form && { body: form }),
      });
      this.keep(response.headers.getSetCookie());
      const location = response.headers.get('Location');
      if (location?.startsWith(page)) return new URL(location).hash.slice(1);
      if (location) {
        [at, form] = [new URL(location, at).href, undefined];
        continue;
      }
      const html = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
      if (!prompt) throw new Error(`the provider answered ${response.status}: ${html}`);
      at = new URL(/<form[^>]* action="([^"]+)"/.exec(html)![1]!, at).href;
      form = new URLSearchParams({ prompt, login: name, password: 'any' });
    }
    throw new Error('the provider does not send the browser back');
  }

  private keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
