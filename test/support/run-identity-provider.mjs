// A provider of OpenID Connect for tests, in a process of its own, as Jest cannot load its modules:
// node run-identity-provider.mjs <client> <secret> <redirect uri> <port> <signing key as JWK>
// Its sign-in form takes any name, whose account has <name>@company.example as its verified address.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [clientId, clientSecret, redirectUri, port = '0', key = '{}'] = process.argv.slice(2);
const server = createServer();
await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  claims: { openid: ['sub', 'email', 'email_verified'] },
  conformIdTokenClaims: false,
  jwks: { keys: [JSON.parse(key)] },
  pkce: { required: () => true },
  cookies: { keys: ['a secret of tests'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id}@company.example`,
      email_verified: !id.startsWith('unverified'),
    }),
  }),
});
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
