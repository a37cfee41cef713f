import type { Request } from 'express';

/** The client's address, through trusted proxies only; an IPv4 address in IPv6 clothes is told as IPv4. */
export function clientAddress(request: Request): string {
  const address = request.ip ?? '';
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
