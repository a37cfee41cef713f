import { useEffect, useRef, useState } from 'preact/hooks';
import { beginCompanySignIn, completeCompanySignIn, readWays } from './api/company.js';
import { ApiError, signIn } from './api/service.js';
import { Button } from './components/button.js';
import { Field } from './components/form.js';
import { useAction, useLoad } from './use-load.js';

/** Asks for username and password. */
export function SignIn({
  notice,
  username = '',
}: {
  notice: string;
  username: string | undefined;
}) {
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
      <div>
        <span class="mark">Hourly Sales</span>
        <h1>Sign in</h1>
        <p class="note">Restaurant Hourly Sales Upload Service</p>
      </div>
      {notice && <p role="status">{notice}</p>}
      {ways?.company && <CompanySignIn keepsView={username !== ''} />}
      {wantsPassword || (ways?.password ?? true) ? (
        <PasswordForm username={username} />
      ) : (
        <Button act={() => setWantsPassword(true)}>Use a password</Button>
      )}
    </main>
  );
}

/** Signs in with the company account; a view with what was typed may wait below. */
function CompanySignIn({ keepsView }: { readonly keepsView: boolean }) {
  const { isBusy, problem, act } = useAction();
  useEffect(() => void act(completeCompanySignIn), []);
  return (
    <>
      <Button isOff={isBusy} act={() => act(() => beginCompanySignIn(keepsView))}>
        Sign in with the company account
      </Button>
      <p role="alert">{problem}</p>
    </>
  );
}

function PasswordForm({ username }: { readonly username: string }) {
  const { isBusy, problem, act } = useAction();
  const [asksCode, setAsksCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const inputs = [...form.current!.querySelectorAll('input')];
    if (!isBusy) (inputs.find(({ value }) => value === '') ?? inputs.at(-1)!).focus();
  }, [isBusy]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const [name, password, code] = [...new FormData(form.current!).values()] as string[];
    const send = signIn(name!, password!, code).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'code_required')) throw error;
      setAsksCode(true);
    });
    void act(() => send);
  };
  return (
    <form ref={form} class="stack" onSubmit={submit}>
      <Field name="username" label="Username" fill="username" value={username} />
      <Field name="password" label="Password" fill="current-password" />
      {asksCode && (
        <Field
          name="code"
          label="Code of your authenticator app, or a recovery code"
          fill="one-time-code"
        />
      )}
      <button class="primary" disabled={isBusy}>
        Sign in
      </button>
      <p role="alert">{problem}</p>
    </form>
  );
}
