import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { currentSession, onSessionChange, type Session } from './api/session.js';
import { FirstStep } from './first-step.js';
import { Idle } from './idle.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';

const ENDED = 'Your session has ended. Sign in again, and go on where you were.';

interface State {
  /** Who is signed in, or was until the token ended. */
  readonly session: Session | undefined;
  /** Whether the password is asked for. */
  readonly isAsking: boolean;
  readonly notice: string;
}

/**
 * Shows the sign-in, or the view of the address. A token that ends leaves the view as it is below
 * the sign-in, so that nothing that was typed is lost.
 */
function App() {
  const [state, setState] = useState<State>(() => {
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
  const wasCovered = useRef(false);
  useEffect(() => {
    if (wasCovered.current && session && !isAsking) dispatchEvent(new Event('signed-in'));
    wasCovered.current = session !== undefined && isAsking;
  }, [session, isAsking]);
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
