// Logs in and uploads hours of a day; sends again where that helps. Node 18 or later: node upload.mjs
const {
  SALES_URL = 'http://127.0.0.1:3000',
  SALES_USER = 'demo',
  SALES_PASSWORD = 'demo-password',
} = process.env;
const RETRIED = [408, 500, 502, 503, 504];

/** Sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again. */
async function post(path, body, token) {
  const headers = {
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  for (let attempt = 0; ; attempt++) {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(SALES_URL + path, { method: 'POST', headers, body, signal }).catch(
      (error) => error,
    );
    if (attempt === 4 || (response instanceof Response && !RETRIED.includes(response.status))) {
      if (response instanceof Error) throw response;
      return { status: response.status, body: bodyOf(await response.text()) };
    }
    const seconds = secondsOf(response.headers?.get('Retry-After')) ?? 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Parses JSON; of anything else, such as a proxy's HTML, the first words are the error. */
function bodyOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {
      error: text
        .replace(/<[^>]*>|\s+/g, ' ')
        .trim()
        .slice(0, 80),
    };
  }
}

/** Reads Retry-After, which is a number of seconds or a date. */
function secondsOf(retryAfter) {
  if (!retryAfter) return undefined;
  const seconds = Number(retryAfter);
  return Math.max(
    0,
    Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds,
  );
}

async function login() {
  const credentials = { grant_type: 'password', username: SALES_USER, password: SALES_PASSWORD };
  const { status, body } = await post('/api/v1/auth/login', JSON.stringify(credentials));
  if (status !== 200) throw new Error(`login: ${status} ${body.error}`);
  return body.access_token;
}

async function upload(records) {
  const send = async () =>
    post('/api/v1/sales/upload-daily', JSON.stringify({ records }), await login());
  let { status, body } = await send();
  if (status === 401) ({ status, body } = await send()); // the token has expired
  if (status !== 200) throw new Error(`upload: ${status} ${body.error}`);
  return body.message;
}

/** Adds amounts in whole cents, as 0.1 + 0.2 is not 0.3. */
const sum = (...amounts) =>
  amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100;

const hour = {
  restaurant_id: 101,
  date: '2025-10-15',
  orders: 8,
  gst: 21.65,
  svc: 24.05,
  discount: 0,
  pax: 17,
};
const paid = { cash: 40.55, nets: 50, visa: 100.1, master: 50.2, amex: 0, voucher: 0, other: 0 };
const gto = sum(...Object.values(paid));
console.log(await upload([11, 12].map((each) => ({ ...hour, hour: each, gto, ...paid }))));
