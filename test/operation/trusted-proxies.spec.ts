import express from 'express';
import { trustedProxies } from '../../src/http/server/trusted-proxies.js';

/** The client that Express sees for a request from `peer`, whose X-Forwarded-For every proxy added to. */
function clientOf(setting: string, peer: string, forwarded: string): string {
  const app = express().set('trust proxy', trustedProxies(setting));
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer }, app };
  return Object.setPrototypeOf(request, app.request).ip as string;
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
});
