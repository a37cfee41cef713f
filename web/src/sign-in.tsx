import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from './api/service.js';
import { Mark } from './mark.js';
import { errorText } from './use-load.js';

interface SignInProps {
  /** Why the password is asked for. */
  readonly notice: string;
  /** Who was signed in before. */
  readonly username: string | undefined;
}

/** Asks for username and password. */
export function SignIn({ notice, username = '' }: SignInProps) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const title = document.title;
    document.title = 'Sign in · Hourly Sales';
    form.current?.querySelector<HTMLInputElement>('input:placeholder-shown')?.focus();
    return () => {
      document.title = title;
    };
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [name, password] = [fields.get('username'), fields.get('password')] as string[];
    setBusy(true);
    setError('');
    await signIn(name!, password!).catch((reason: unknown) => {
      setError(errorText(reason));
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
    });
    setBusy(false);
  };
  return (
    <main class="sign-in card">
      <Title />
      {notice && <p role="status">{notice}</p>}
      <form ref={form} onSubmit={(event) => void submit(event)}>
        <Fields username={username} />
        <button class="primary" disabled={isBusy}>
          Sign in
        </button>
        <p role="alert">{error}</p>
      </form>
    </main>
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
