// Exit status 0 while the process serves. Readiness is for the load balancer: a restart would not bring a database back.
const url = `http://127.0.0.1:${process.env.PORT || 3000}/health/live`;
const alive = await fetch(url, { signal: AbortSignal.timeout(2500) }).then(
  (response) => response.ok,
  () => false,
);
process.exit(alive ? 0 : 1);
