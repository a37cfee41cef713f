import { isIP } from 'node:net';
import { compile } from 'proxy-addr';

/** Says whether a peer is a trusted proxy; one that is disconnected has no address. */
export type TrustProxy = (address: string | undefined, hop: number) => boolean;

/** Parses TRUST_PROXY, a number of proxies or a list of addresses; undefined if invalid. */
export function parseTrustedProxies(setting: string): TrustProxy | undefined {
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting);
  try {
    const isTrusted = compile(setting.split(/\s*,\s*/).filter(Boolean));
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
