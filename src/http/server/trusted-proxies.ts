/**
 * Express' `trust proxy` for a TRUST_PROXY. Never its `true`, which believes the header's first entry, whoever wrote it:
 * one proxy in front is one entry, the last.
 */
export function trustedProxies(setting: string): number | string[] {
  if (setting === 'true') return 1;
  if (/^\d+$/.test(setting)) return Number(setting);
  const proxies = setting.split(',').map((proxy) => proxy.trim());
  return proxies.filter((proxy) => proxy !== '' && proxy !== 'false');
}
