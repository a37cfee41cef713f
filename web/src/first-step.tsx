import { PasswordCard } from './account/password-card.js';
import { signOut } from './api/service.js';
import { lazy } from './lazy.js';

const SecondFactorCard = lazy(() =>
  import('./account/second-factor-card.js').then((all) => all.SecondFactorCard),
);

/** Asks a person for what has to be done before any view: a password of their own, or an app. */
export function FirstStep({ restricted }: { readonly restricted: string }) {
  const isPassword = restricted === 'password_must_change';
  return (
    <main class="sign-in">
      <h1>Before you go on</h1>
      <p role="status">
        {isPassword
          ? 'Head office knows this password: set one of your own.'
          : 'Your account needs a second factor: set it up now.'}
      </p>
      {isPassword ? <PasswordCard /> : <SecondFactorCard />}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </main>
  );
}
