import express from 'express';
import { parseTrustedProxies } from '../../src/config/trusted-proxies.js';
import { clientAddress } from '../../src/http/server/client-address.decorator.js';

/** The client that Express sees for a request from `peer`, whose X-Forwarded-For every proxy added to. */
function clientOf(setting: string, peer: string | undefined, forwarded: string): string {
  const app = express().set('trust proxy', parseTrustedProxies(setting));
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer }, app };
  return clientAddress(Object.setPrototypeOf(request, app.request));
}

const PROXY = '10.0.0.1';
const INNER = '10.0.0.2';
const CLIENT = '203.0.113.7';
const FORGED = '198.51.100.9';

describe('TRUST_PROXY', () => {
  test.each([
    ['', PROXY],
    ['false', PROXY],
    ['0', PROXY],
    ['1', CLIENT],
    ['true', CLIENT],
    ['10.0.0.1', CLIENT],
    ['10.0.0.0/8', CLIENT],
    ['loopback, 10.0.0.1', CLIENT],
    ['loopback', PROXY],
  ])('%s: one proxy in front, and a client that forges an entry', (setting, client) => {
    expect(clientOf(setting, PROXY, `${FORGED}, ${CLIENT}`)).toBe(client);
  });

  test.each([
    ['1', INNER],
    ['2', CLIENT],
    ['10.0.0.1', INNER],
    ['10.0.0.1, 10.0.0.2', CLIENT],
    ['10.0.0.0/8', CLIENT],
  ])('%s: two proxies in a row', (setting, client) => {
    expect(clientOf(setting, PROXY, `${FORGED}, ${CLIENT}, ${INNER}`)).toBe(client);
  });

  test.each([
    ['203.0.113.7:5678', CLIENT],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.7', CLIENT],
    ['::FFFF:203.0.113.7', CLIENT],
    ['[::ffff:203.0.113.7]:80', CLIENT],
    ['203.0.113.7:', 'unknown'],
    ['203.0.113.700', 'unknown'],
    ['[203.0.113.7', 'unknown'],
    ['_hidden', 'unknown'],
    ['unknown', 'unknown'],
    ["1.2.3.4' OR 1=1 --", 'unknown'],
    ['2001:db8::7\u001b[2J', 'unknown'],
  ])('an entry %j is the client %s', (entry, client) => {
    expect(clientOf('loopback', '127.0.0.1', entry)).toBe(client);
  });

  test.each(['loopback', '1', ''])('%j: a peer that has disconnected has no address', (setting) => {
    expect(clientOf(setting, undefined, '')).toBe('unknown');
    expect(clientOf(setting, undefined, CLIENT)).toBe(setting === '1' ? CLIENT : 'unknown');
  });

  test('entries with ports and mapped addresses of trusted proxies are recognised', () => {
    expect(
      clientOf('10.0.0.0/8', '::ffff:10.0.0.1', `${FORGED}, ${CLIENT}:1234, 10.0.0.2:443, [::ffff:10.0.0.3]:80`),
    ).toBe(CLIENT);
    expect(clientOf('uniquelocal,linklocal', '192.168.1.1', `${FORGED}, ${CLIENT}, [fd00::1]:80, fe80::9%eth0`)).toBe(
      CLIENT,
    );
  });

  test.each(['blah', '10.0.0.1/33', '10.0.0.1/x', '10.0.0.0/8/8', '::1/129', '10.0.0.', '-1', '*'])(
    '%s is invalid',
    (setting) => expect(parseTrustedProxies(setting)).toBeUndefined(),
  );
});
