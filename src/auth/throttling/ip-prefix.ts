import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';

/**
 * What a client counts as: its IPv4 address, or the /64 that an IPv6 client may take any address of. What a trusted
 * proxy sent that is no address is all one, `unknown`, so that nobody escapes by inventing some.
 */
export function ipPrefix(address: string): string {
  const bare = address.split('%')[0]!; // a zone, fe80::1%eth0
  return isIP(bare) === 0 ? 'unknown' : normalizeIp(bare);
}
