// node deploy/healthcheck.mjs        exit status 0 if the process serves: a restart would not bring a database back
// node deploy/healthcheck.mjs ready  waits until the instance is ready, 90 seconds at most
const { HOST = '', PORT } = process.env;
const host = /^(|0\.0\.0\.0|::)$/.test(HOST) ? '127.0.0.1' : HOST;
const base = `http://${host.includes(':') ? `[${host}]` : host}:${PORT || 3000}/health/`;

const responds = (path) =>
  fetch(base + path, { signal: AbortSignal.timeout(2500) }).then(
    ({ ok }) => ok,
    () => false,
  );

async function waitUntilReady() {
  for (const end = Date.now() + 90_000; Date.now() < end;) {
    if (await responds('ready')) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}

const isFine = process.argv[2] === 'ready' ? await waitUntilReady() : await responds('live');
process.exit(isFine ? 0 : 1);
