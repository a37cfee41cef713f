import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import type {
  NewSecondFactorResponse,
  SecondFactorConfirmedResponse,
  SecondFactorResponse,
} from '../../../src/auth/login/second-factor.dto.js';
import { post, readPlain, renewSession, sendDelete } from '../api/service.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Field, Form } from '../components/form.js';
import { useLoad } from '../use-load.js';

const PATH = '/api/v1/auth/second-factor';

/** Sets up an authenticator app, or takes it away; empty where none is offered. */
export function SecondFactorCard() {
  const { value, reload } = useLoad(() => readPlain<SecondFactorResponse>(PATH), []);
  const [made, setMade] = useState<NewSecondFactorResponse>();
  const [confirmed, setConfirmed] = useState<SecondFactorConfirmedResponse>();
  if (!value?.offered) return null;
  const finish = (): void => {
    setMade(undefined);
    setConfirmed(undefined);
    renewSession(confirmed!);
    reload();
  };
  if (confirmed) return <RecoveryCodes codes={confirmed.recovery_codes} finish={finish} />;
  return (
    <Card title="Second factor">
      {made && (
        <Form
          label="Switch on"
          submit={async (fields) => setConfirmed(await post(`${PATH}/confirm`, fields))}
        >
          <p>Scan this with an authenticator app, or type the secret, and enter its code.</p>
          <QrCode text={made.uri} />
          <code class="secret">{made.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
          <Field name="code" label="Code" fill="one-time-code" />
        </Form>
      )}
      {!made && !value.confirmed_at && (
        <Form
          label="Set up an authenticator app"
          submit={async () => setMade(await post(PATH, {}))}
        >
          <p>With a second factor, a stolen password alone does not sign in.</p>
        </Form>
      )}
      {!made && value.confirmed_at && (
        <Form
          label="Remove the second factor"
          submit={(fields) => sendDelete(PATH, fields).then(reload)}
        >
          <p>It is on. Recovery codes that are left: {value.recovery_codes_left}.</p>
          <Field name="current_password" label="Password" fill="current-password" />
          <Field name="code" label="Code" fill="one-time-code" />
        </Form>
      )}
    </Card>
  );
}

function RecoveryCodes({ codes, finish }: { codes: readonly string[]; finish: () => void }) {
  return (
    <Card title="Recovery codes" hasFocus>
      <p>Each of these replaces a code once, when the phone is lost. They are shown only now.</p>
      <pre class="secret">{codes.join('\n')}</pre>
      <p class="actions">
        <Button act={() => print()}>Print</Button>
        <Button class="primary" act={finish}>
          I have kept them
        </Button>
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
