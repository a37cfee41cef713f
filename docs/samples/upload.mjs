// Logs in, uploads hours of two days; sends again where that helps. Node 18 or later: node upload.mjs
const {
  SALES_URL = 'http://127.0.0.1:3000',
  SALES_USER = 'demo',
  SALES_PASSWORD = 'demo-password',
} = process.env;
const RETRIED = [0, 408, 500, 502, 503, 504];

/** Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again. */
async function post(path, body, token) {
  const headers = {
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  for (let attempt = 0; ; attempt++) {
    const {
      status,
      body: answer,
      retryAfter,
    } = await send(path, { method: 'POST', headers, body });
    if (!RETRIED.includes(status) || attempt === 4) return { status, body: answer };
    const seconds = secondsOf(retryAfter) ?? 2 ** attempt;
    console.error(
      `${status || 'no response'} from ${path}: sending again in ${Math.round(seconds)} s`,
    );
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Sends once. A 200 without whole JSON was cut on its way, and is no response. */
async function send(path, request) {
  try {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(SALES_URL + path, { ...request, signal });
    const { status, headers } = response;
    const text = await response.text();
    const body = status === 200 ? JSON.parse(text) : bodyOf(text);
    return { status, body, retryAfter: headers.get('Retry-After') };
  } catch (error) {
    return { status: 0, body: { error: String(error.cause ?? error) } };
  }
}

/** Parses JSON; of anything else, such as a proxy's HTML, the first words are the error. */
function bodyOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    const words = text.replace(/<[^>]*>|\s+/g, ' ').trim();
    return { error: words.slice(0, 80) };
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
  if (status !== 200) throw new Error(`login: ${status || 'no response:'} ${body.error}`);
  return body.access_token;
}

let token; // kept for all uploads

async function upload(records) {
  const send = () => post('/api/v1/sales/upload-daily', JSON.stringify({ records }), token);
  token ??= await login();
  let { status, body } = await send();
  if (status === 401) {
    token = await login(); // the token has expired
    ({ status, body } = await send());
  }
  if (status !== 200) throw new Error(`upload: ${status || 'no response:'} ${body.error}`);
  return body.message;
}

/** Adds amounts in whole cents, as 0.1 + 0.2 is not 0.3. */
const sum = (...amounts) =>
  amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100;

const figures = { restaurant_id: 101, orders: 8, gst: 21.65, svc: 24.05, discount: 0, pax: 17 };
const paid = { cash: 40.55, nets: 50, visa: 100.1, master: 50.2, amex: 0, voucher: 0, other: 0 };
const gto = sum(...Object.values(paid));
try {
  for (const date of ['2025-10-14', '2025-10-15'])
    console.log(await upload([11, 12].map((hour) => ({ ...figures, date, hour, gto, ...paid }))));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
