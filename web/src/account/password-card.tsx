import { useState } from 'preact/hooks';
import { changePassword } from '../api/service.js';
import { Card } from '../components/card.js';
import { errorText } from '../use-load.js';

export function PasswordCard() {
  const [state, setState] = useState({ error: '', done: '', isBusy: false });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const [current, next, again] = [...new FormData(form).values()] as string[];
    if (next !== again) {
      setState({ error: 'The new passwords differ.', done: '', isBusy: false });
      return;
    }
    setState({ error: '', done: '', isBusy: true });
    try {
      await changePassword(current!, next!);
      form.reset();
      const done = 'The password is changed. All other sessions have ended.';
      setState({ error: '', done, isBusy: false });
    } catch (reason) {
      setState({ error: errorText(reason), done: '', isBusy: false });
    }
  };
  return (
    <Card title="Change password">
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <PasswordField name="current" label="Current password" kind="current" />
        <PasswordField name="next" label="New password" kind="new" />
        <PasswordField name="again" label="Repeat new password" kind="new" />
        <button class="primary" disabled={state.isBusy}>
          Change password
        </button>
        <p role="alert">{state.error}</p>
        <p role="status">{state.done}</p>
      </form>
    </Card>
  );
}

interface PasswordFieldProps {
  readonly name: string;
  readonly label: string;
  readonly kind: 'current' | 'new';
}

function PasswordField({ name, label, kind }: PasswordFieldProps) {
  return (
    <label>
      {label}
      <input name={name} type="password" autocomplete={`${kind}-password`} required />
    </label>
  );
}
