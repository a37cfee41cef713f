export const DAY = '2025-10-15';

export function record(changes = {}) {
  const payments = { cash: 100, nets: 0, visa: 0, master: 0, amex: 0, voucher: 0, other: 0 };
  const figures = { orders: 4, gto: 100, gst: 9, svc: 10, discount: 0, pax: 9, ...payments };
  return { restaurant_id: 101, date: DAY, hour: 9, ...figures, ...changes };
}

/** Sends requests as a till does. */
export class Client {
  constructor(url) {
    this.url = url;
  }

  login(username, password) {
    const body = { grant_type: 'password', username, password };
    return this.send('POST', '/api/v1/auth/login', { body });
  }

  upload(token, ...records) {
    return this.send('POST', '/api/v1/sales/upload-daily', { token, body: { records } });
  }

  /** Reads `daily` or `uploads` of a day. */
  read(report, token, date = DAY) {
    const path = `/api/v1/sales/${report}?restaurant_id=101&date=${date}`;
    return this.send('GET', path, { token });
  }

  async send(method, path, { token, body }) {
    const authorization = token && { Authorization: `Bearer ${token}` };
    const response = await fetch(this.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...authorization },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
}
