import { post, renewSession } from '../api/service.js';
import { Card } from '../components/card.js';
import { Field, Form } from '../components/form.js';

export function PasswordCard() {
  return (
    <Card title="Change password">
      <Form
        label="Change password"
        submit={async ({ current, next, again }) => {
          if (next !== again) throw new Error('The new passwords differ.');
          const body = { current_password: current, new_password: next };
          renewSession(await post('/api/v1/auth/password', body));
          return 'The password is changed. All other sessions have ended.';
        }}
      >
        <Field name="current" label="Current password" fill="current-password" />
        <p class="note">
          At least 12 characters, or as many as head office asks for; not the username.
        </p>
        <Field name="next" label="New password" fill="new-password" />
        <Field name="again" label="Repeat new password" fill="new-password" />
      </Form>
    </Card>
  );
}
