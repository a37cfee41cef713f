import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from './api/session.js';
import { errorText } from './use-load.js';

/** Asks for username and password; `notice` says why. */
export function SignIn({ notice }: { readonly notice: string | undefined }): JSX.Element {
  return (
    <main class="sign-in">
      <h1>Hourly sales</h1>
      {notice && <p role="status">{notice}</p>}
      <SignInForm />
    </main>
  );
}

function SignInForm(): JSX.Element {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = async (fields: FormData): Promise<void> => {
    setBusy(true);
    setError('');
    await signIn(textOf(fields, 'username'), textOf(fields, 'password')).catch((reason: unknown) => {
      setError(errorText(reason));
      setBusy(false);
    });
  };
  return (
    <form onSubmit={(event) => (event.preventDefault(), void submit(new FormData(event.currentTarget)))}>
      <label>
        Username <input ref={first} name="username" autocomplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button disabled={isBusy}>Sign in</button>
      <p role="alert">{error}</p>
    </form>
  );
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
