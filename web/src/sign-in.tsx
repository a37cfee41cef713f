import { useEffect, useState } from 'preact/hooks';
import { beginCompanySignIn, completeCompanySignIn, readWays } from './api/company.js';
import { ApiError, signIn } from './api/service.js';
import { Button } from './components/button.js';
import { Field, Form } from './components/form.js';
import { useTitle } from './components/heading.js';
import { useAction } from './use-action.js';
import { useLoad } from './use-load.js';

/** Asks for username and password. */
export function SignIn({ notice, username }: { notice: string; username: string | undefined }) {
  const ways = useLoad(readWays, []).value;
  const [wantsPassword, setWantsPassword] = useState(false);
  useTitle('Sign in');
  return (
    <main class="sign-in card">
      <div>
        <span class="mark">Hourly Sales</span>
        <h1>Sign in</h1>
        <p class="note">Restaurant Hourly Sales Upload Service</p>
      </div>
      {notice && <p role="status">{notice}</p>}
      {ways?.company && <CompanySignIn keepsView={username !== undefined} />}
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
  const { problem, act } = useAction();
  useEffect(() => void act(completeCompanySignIn), []);
  return (
    <>
      <Button act={() => beginCompanySignIn(keepsView)}>Sign in with the company account</Button>
      <p role="alert">{problem}</p>
    </>
  );
}

function PasswordForm({ username }: { readonly username: string | undefined }) {
  const [asksCode, setAsksCode] = useState(false);
  const submit = (typed: Readonly<Record<string, string>>): Promise<void> =>
    signIn(typed['username']!, typed['password']!, typed['code']).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'code_required')) throw error;
      setAsksCode(true);
    });
  return (
    <Form label="Sign in" isFirst submit={submit}>
      <Field name="username" label="Username" fill="username" value={username} />
      <Field name="password" label="Password" fill="current-password" />
      {asksCode && (
        <Field
          name="code"
          label="Code of your authenticator app, or a recovery code"
          fill="one-time-code"
        />
      )}
    </Form>
  );
}
