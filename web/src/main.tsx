import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { signOut } from './api/service.js';
import { currentSession, onSessionChange } from './api/session.js';
import { Button } from './components/button.js';
import { Idle } from './idle.js';
import { loadMore } from './load-later.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { Show, useLoad } from './use-load.js';

/** Asks a person for what has to be done before any view: a password of their own, or an app. */
function FirstStep({ restricted }: { readonly restricted: string }) {
  const isPassword = restricted === 'password_must_change';
  const loaded = useLoad(loadMore, []);
  return (
    <main class="sign-in">
      <h1>Before you go on</h1>
      <p role="status">
        {isPassword
          ? 'Head office knows this password: set one of your own.'
          : 'Your account needs a second factor: set it up now.'}
      </p>
      <Show of={loaded}>
        {(more) => (isPassword ? <more.PasswordCard /> : <more.SecondFactorCard />)}
      </Show>
      <Button act={() => signOut()}>Sign out</Button>
    </main>
  );
}

const ENDED = 'Your session has ended. Sign in again, and go on where you were.';

/**
 * Shows the sign-in, or the view of the address. A token that ends leaves the view as it is below
 * the sign-in, so that nothing that was typed is lost.
 */
function App() {
  const [state, setState] = useState(() => {
    /** Who is signed in, or was until the token ended. */
    const session = currentSession();
    return { session, isAsking: !session, notice: '' };
  });
  useEffect(
    () =>
      onSessionChange((session, ending, notice = '') =>
        setState((before) => {
          if (session) return { session, isAsking: false, notice: '' };
          if (ending === 'ended') return { ...before, isAsking: true, notice: ENDED };
          return { session: undefined, isAsking: true, notice };
        }),
      ),
    [],
  );
  const { session, isAsking, notice } = state;
  return (
    <>
      {isAsking && <SignIn notice={notice} username={session?.username} />}
      {session && (
        <div hidden={isAsking}>
          <Idle key={session.token} />
          {session.restricted ? (
            <FirstStep restricted={session.restricted} />
          ) : (
            <Shell key={session.username} username={session.username} told={session.told} />
          )}
        </div>
      )}
    </>
  );
}

render(<App />, document.getElementById('app')!);
