import { createHmac } from 'node:crypto';

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** A token as the service signs it, for users whose logins would take too long. */
export function signToken(secret, { userId, jti }) {
  const now = Math.floor(Date.now() / 1000);
  const signed = `${HEADER}.${encode({ sub: String(userId), jti, iat: now, exp: now + 7200 })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
