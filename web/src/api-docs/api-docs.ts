import 'swagger-ui-dist/swagger-ui.css';
import './api-docs.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** The interactive page of the API: each call with a filled-in example, its errors, and a login. */
const ui = SwaggerUI({
  url: '/api/v1/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
});

const form = document.querySelector<HTMLFormElement>('#login')!;
const said = document.querySelector<HTMLOutputElement>('#said')!;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  logIn().then(
    (text) => (said.value = text),
    () => (said.value = 'The service does not answer: try again.'),
  );
});

/** Logs in, and sends the token with every call from here on; returns what to tell. */
async function logIn(): Promise<string> {
  const { username, password } = Object.fromEntries(new FormData(form));
  const response = await fetch('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username, password }),
  });
  const body = (await response.json()) as { access_token?: string; error?: string };
  if (body.access_token === undefined) return `${response.status}: ${body.error ?? ''}`;
  ui.preauthorizeApiKey('bearer', body.access_token);
  form.reset();
  return 'You are logged in for two hours: open a call and press Execute.';
}
