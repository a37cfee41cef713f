import { isIP } from 'node:net';
import { compile } from 'proxy-addr';

/** Says whether a peer is a trusted proxy; one that is disconnected has no address. */
export type TrustProxy = (address: string | undefined, hop: number) => boolean;

/** Parses the setting; undefined if invalid. `true` is one proxy: Express would trust anybody. */
export function parseTrustedProxies(setting: string): TrustProxy | undefined {
  const hops = setting === 'true' ? '1' : setting;
  if (/^\d+$/.test(hops)) return (_address, hop) => hop < Number(hops);
  const entries = setting.split(',').map((entry) => entry.trim());
  try {
    const isTrusted = compile(entries.filter((entry) => entry !== '' && entry !== 'false'));
    return (entry = '', hop) => isTrusted(bareAddress(entry) ?? '', hop);
  } catch {
    return undefined;
  }
}

/** Parses an entry of X-Forwarded-For, to which some proxies add a port. */
export function bareAddress(entry: string): string | undefined {
  const bare = entry
    .replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=.*\.)/i, '');
  return isIP(bare) === 0 ? undefined : bare;
}
