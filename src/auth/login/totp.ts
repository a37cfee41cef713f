import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const STEP_SECONDS = 30;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Writes bytes in base32 without padding (RFC 4648), as authenticator apps take them. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** The code of six digits for a step (RFC 4226 section 5.3, RFC 6238). */
export function totp(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.at(-1)! & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** Returns the step of which a code is: that of now, or the one before or after it. */
export function stepOf(code: string, secret: Buffer, now: number): number | undefined {
  const step = Math.floor(now / 1000 / STEP_SECONDS);
  return [step, step - 1, step + 1].find((each) => totp(secret, each) === code);
}

/** Encrypts a secret for a user, whose row alone it is good in (AES-256-GCM). */
export function encrypt(secret: Buffer, key: string, userId: number): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv).setAAD(Buffer.from(`${userId}`));
  return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

export function decrypt(encrypted: Buffer, key: string, userId: number): Buffer {
  const [iv, tag] = [encrypted.subarray(0, IV_BYTES), encrypted.subarray(-TAG_BYTES)];
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv, options);
  decipher.setAAD(Buffer.from(`${userId}`)).setAuthTag(tag);
  return Buffer.concat([
    decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES)),
    decipher.final(),
  ]);
}

function keyOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
