import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, Response } from 'express';
import type { JsonExpressAdapter } from '../http/adapter/json-express.adapter.js';
import type { TrackedFields } from '../http/adapter/tracked-response.js';
import { Overloaded } from '../http/errors/http.errors.js';

const ROOT = '/app/';
const FOLDER = fileURLToPath(import.meta.url).replace(
  /(?:\/dist)?\/src\/web-app\/[^/]+$/,
  '/dist/web',
);
const SERVED = /^(index\.html|icon\.svg|assets\/[\w-]+\.(js|css))$/;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

export const isWebAppBuilt = existsSync(FOLDER);

/** Makes middleware that serves the built page below /app/, within the limits of public routes. */
export function webApp({ anonymousSlots }: JsonExpressAdapter) {
  return (request: Request, response: Response & TrackedFields, next: NextFunction): void => {
    const { method, path, headers } = request;
    const file = path === ROOT ? 'index.html' : path.slice(ROOT.length);
    if (method !== 'GET' && method !== 'HEAD') next();
    else if (path === '/app' || (path === '/' && headers.accept?.includes('text/html')))
      response.vary('Accept').redirect(ROOT);
    else if (!path.startsWith(ROOT) || !SERVED.test(file)) next();
    else if (!anonymousSlots.acquire(response)) next(new Overloaded());
    else sendFile(file, request, response);
  };
}

/** Sends a file, or the compressed copy that the build has written beside it. */
function sendFile(file: string, request: Request, response: Response): void {
  Object.assign(request, { route: { path: `${ROOT}*` } }); // the log and the metrics read the route
  const isCompressed = request.acceptsEncodings('br') === 'br';
  const headers = {
    'Cache-Control': file.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    ...(isCompressed && { 'Content-Encoding': 'br' }),
  };
  response
    .type(extname(file))
    .vary('Accept-Encoding')
    .sendFile(isCompressed ? `${file}.br` : file, { root: FOLDER, headers, acceptRanges: false });
}
