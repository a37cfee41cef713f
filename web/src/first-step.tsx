import { signOut } from './api/service.js';
import { loadMore } from './load-later.js';
import { Show, useLoad } from './use-load.js';

/** Asks a person for what has to be done before any view: a password of their own, or an app. */
export function FirstStep({ restricted }: { readonly restricted: string }) {
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
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </main>
  );
}
