import compression from 'compression';
import type { RequestHandler } from 'express';

/** Below it, compression saves fewer packets than it costs CPU. */
const MIN_BYTES = 10_240;

/**
 * Makes middleware that compresses JSON that is read, where the client takes it. Routes whose
 * answers hold secrets are left out: their length would tell of them beside what a client chose.
 */
export function compressJson(leftOut: RegExp): RequestHandler {
  const compress = compression({
    threshold: MIN_BYTES,
    filter: (_request, response) =>
      /^application\/json\b/.test(String(response.getHeader('Content-Type'))),
  });
  return (request, response, next) => {
    if (request.method === 'GET' && !leftOut.test(request.path)) compress(request, response, next);
    else next();
  };
}
