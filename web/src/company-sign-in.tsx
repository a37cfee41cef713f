import { useEffect, useState } from 'preact/hooks';
import { beginCompanySignIn, completeCompanySignIn, isReturning } from './api/company.js';
import { errorText } from './use-load.js';

/** Signs in with the company account; a view with what was typed may wait below. */
export function CompanySignIn({ keepsView }: { readonly keepsView: boolean }) {
  const [isBusy, setBusy] = useState(isReturning);
  const [error, setError] = useState('');
  const follow = (work: Promise<void>): void => {
    setBusy(true);
    setError('');
    void work.catch((reason: unknown) => setError(errorText(reason))).finally(() => setBusy(false));
  };
  useEffect(() => {
    if (isReturning) follow(completeCompanySignIn());
  }, []);
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => follow(beginCompanySignIn(keepsView))}>
        Sign in with the company account
      </button>
      <p role="alert">{error}</p>
    </>
  );
}
