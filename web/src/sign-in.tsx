import { useEffect, useRef, useState } from 'preact/hooks';
import { readWays } from './api/company.js';
import { ApiError, signIn } from './api/service.js';
import { CompanySignIn } from './company-sign-in.js';
import { Mark } from './mark.js';
import { errorText, useLoad } from './use-load.js';

interface SignInProps {
  /** Why the password is asked for. */
  readonly notice: string;
  /** Who was signed in before. */
  readonly username: string | undefined;
}

/** Asks for username and password. */
export function SignIn({ notice, username = '' }: SignInProps) {
  const ways = useLoad(readWays, []).value;
  const [wantsPassword, setWantsPassword] = useState(false);
  useEffect(() => {
    const title = document.title;
    document.title = 'Sign in · Hourly Sales';
    return () => {
      document.title = title;
    };
  }, []);
  return (
    <main class="sign-in card">
      <Title />
      {notice && <p role="status">{notice}</p>}
      {ways?.company && <CompanySignIn keepsView={username !== ''} />}
      {wantsPassword || (ways?.password ?? true) ? (
        <PasswordForm username={username} />
      ) : (
        <button type="button" onClick={() => setWantsPassword(true)}>
          Use a password
        </button>
      )}
    </main>
  );
}

function PasswordForm({ username }: { readonly username: string }) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:placeholder-shown')?.focus();
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const texts = ['username', 'password', 'code'].map((each) => fields.get(each));
    const [name, password, code] = texts as string[];
    setBusy(true);
    setError('');
    await signIn(name!, password!, code).catch((reason: unknown) => {
      const isCodeAsked = reason instanceof ApiError && reason.code === 'code_required';
      setAsksCode((before) => before || isCodeAsked);
      setError(isCodeAsked ? '' : errorText(reason));
      if (!isCodeAsked) form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
    });
    setBusy(false);
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <Fields username={username} />
      {asksCode && <CodeField />}
      <button class="primary" disabled={isBusy}>
        Sign in
      </button>
      <p role="alert">{error}</p>
    </form>
  );
}

function CodeField() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <label>
      Code of your authenticator app, or a recovery code
      <input ref={input} name="code" autocomplete="one-time-code" placeholder=" " required />
    </label>
  );
}

function Title() {
  return (
    <div>
      <span class="mark">
        <Mark /> Hourly Sales
      </span>
      <h1>Sign in</h1>
      <p class="note">Restaurant Hourly Sales Upload Service</p>
    </div>
  );
}

/** The placeholder, which is not seen, tells an empty field from a filled one. */
function Fields({ username }: { username: string }) {
  return (
    <>
      <label>
        Username
        <input
          name="username"
          autocapitalize="none"
          autocomplete="username"
          placeholder=" "
          defaultValue={username}
          required
        />
      </label>
      <label>
        Password
        <input
          name="password"
          type="password"
          autocomplete="current-password"
          placeholder=" "
          required
        />
      </label>
    </>
  );
}
