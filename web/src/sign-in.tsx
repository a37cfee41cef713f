import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from './api/service.js';
import { errorText } from './use-load.js';

/** Asks for username and password; `notice` says why. */
export function SignIn({ notice }: { notice: string }) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Hourly sales';
    first.current?.focus();
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setError('');
    const [username, password] = [fields.get('username'), fields.get('password')] as string[];
    await signIn(username!, password!).catch((reason: unknown) => setError(errorText(reason)));
    setBusy(false);
  };
  return (
    <main class="sign-in">
      <h1>Hourly sales</h1>
      <p class="note">Restaurant Hourly Sales Upload Service</p>
      {notice && <p role="status">{notice}</p>}
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Username <input ref={first} name="username" autocomplete="username" required />
        </label>
        <label>
          Password{' '}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <button class="primary" disabled={isBusy}>
          Sign in
        </button>
        <p role="alert">{error}</p>
      </form>
    </main>
  );
}
