import { BlockList, isIP, isIPv4 } from 'node:net';

/** Express' `trust proxy` function: whether this address, so many hops before the peer, is a proxy to believe. */
export type TrustProxy = (address: string, hop: number) => boolean;

const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Parses TRUST_PROXY; undefined where it is invalid. `true` is one proxy, not Express' `true`, which would believe the
 * first entry of X-Forwarded-For, whoever wrote it.
 */
export function parseTrustedProxies(setting: string): TrustProxy | undefined {
  const hops = setting === 'true' ? '1' : setting;
  if (/^\d{1,3}$/.test(hops)) return (_address, hop) => hop < Number(hops);
  const entries = setting.split(',').map((entry) => entry.trim());
  const ranges = entries.filter((entry) => entry !== '' && entry !== 'false');
  const trusted = new BlockList();
  for (const range of ranges.flatMap((name) => NAMED_RANGES[name] ?? [name])) {
    if (!addRange(trusted, range)) return undefined;
  }
  return (text) => {
    const address = bareAddress(text);
    return address !== undefined && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
}

function addRange(list: BlockList, range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (version === 0 || address.includes('%') || !isPrefix || rest.length > 0) return false;
  list.addSubnet(address, Number(prefix ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  return true;
}

/**
 * Returns the IP address in an entry of X-Forwarded-For, undefined where there is none: without a port, brackets and an
 * IPv6 zone, and as IPv4 where it is mapped to IPv6.
 */
export function bareAddress(entry: string): string | undefined {
  if (isIPv4(entry)) return entry;
  const bare = entry
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=.*\.)/i, '');
  return isIP(bare) === 0 ? undefined : bare;
}
