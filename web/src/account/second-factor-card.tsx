import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import type {
  NewSecondFactorResponse,
  SecondFactorConfirmedResponse,
  SecondFactorResponse,
} from '../../../src/auth/login/second-factor.dto.js';
import { beginSession, post, readPlain, sendDelete } from '../api/service.js';
import { currentSession } from '../api/session.js';
import { Card } from '../components/card.js';
import { errorText, useLoad } from '../use-load.js';

const PATH = '/api/v1/auth/second-factor';

/** Sets up an authenticator app, or takes it away; empty where none is offered. */
export function SecondFactorCard() {
  const { value, reload } = useLoad(() => readPlain<SecondFactorResponse>(PATH), []);
  const [made, setMade] = useState<NewSecondFactorResponse>();
  if (!value?.offered) return null;
  const finish = (): void => {
    setMade(undefined);
    reload();
  };
  if (made) return <Confirm made={made} done={finish} />;
  if (!value.confirmed_at)
    return (
      <CodeForm
        label="Set up an authenticator app"
        submit={async () => setMade(await post<NewSecondFactorResponse>(PATH, {}))}
        hasCode={false}
      >
        <p>With a second factor, a stolen password alone does not sign in.</p>
      </CodeForm>
    );
  return (
    <CodeForm
      label="Remove the second factor"
      hasPassword
      submit={async (body) => {
        await sendDelete(PATH, body);
        reload();
      }}
    >
      <p>
        A login asks for a code of your app. {value.recovery_codes_left} recovery codes are left.
      </p>
    </CodeForm>
  );
}

interface ConfirmProps {
  readonly made: NewSecondFactorResponse;
  readonly done: () => void;
}

/** Shows a new secret, takes a first code, and shows the recovery codes. */
function Confirm({ made, done }: ConfirmProps) {
  const [confirmed, setConfirmed] = useState<SecondFactorConfirmedResponse>();
  const finish = (): void => {
    beginSession(currentSession()!.username, confirmed!);
    done();
  };
  if (confirmed) return <RecoveryCodes codes={confirmed.recovery_codes} finish={finish} />;
  const confirm = async (fields: Record<string, string>): Promise<void> =>
    setConfirmed(await post<SecondFactorConfirmedResponse>(`${PATH}/confirm`, fields));
  return (
    <CodeForm label="Switch on" submit={confirm}>
      <p>Scan this with an authenticator app, or type the secret, and enter the code it shows.</p>
      <QrCode text={made.uri} />
      <code class="secret">{made.secret}</code>
    </CodeForm>
  );
}

interface CodeFormProps {
  readonly label: string;
  readonly submit: (fields: Record<string, string>) => Promise<void>;
  readonly hasCode?: boolean;
  readonly hasPassword?: boolean;
  readonly children: ComponentChildren;
}

function CodeForm({ label, submit, hasCode = true, hasPassword, children }: CodeFormProps) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    setBusy(true);
    setError('');
    await submit(fields as Record<string, string>).catch((reason: unknown) =>
      setError(errorText(reason)),
    );
    setBusy(false);
  };
  return (
    <Card title="Second factor">
      <form class="stack" onSubmit={(event) => void send(event)}>
        {children}
        {hasPassword && (
          <label>
            Password
            <input
              name="current_password"
              type="password"
              autocomplete="current-password"
              required
            />
          </label>
        )}
        {hasCode && (
          <label>
            Code
            <input name="code" autocomplete="one-time-code" required />
          </label>
        )}
        <button disabled={isBusy}>{label}</button>
        <p role="alert">{error}</p>
      </form>
    </Card>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly finish: () => void;
}

function RecoveryCodes({ codes, finish }: RecoveryCodesProps) {
  return (
    <Card title="Recovery codes" hasFocus>
      <p>Each of these replaces a code once, when the phone is lost. They are shown only now.</p>
      <pre class="secret">{codes.join('\n')}</pre>
      <p class="actions">
        <button type="button" onClick={() => print()}>
          Print
        </button>
        <button type="button" class="primary" onClick={finish}>
          I have kept them
        </button>
      </p>
    </Card>
  );
}

/** Draws a QR code as a path: the page's policy allows no data: address. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the secret">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
