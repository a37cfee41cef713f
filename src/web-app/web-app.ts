import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, Response } from 'express';
import { Overloaded } from '../http/errors/http.errors.js';
import type { JsonExpressAdapter } from '../http/adapter/json-express.adapter.js';
import type { TrackedFields } from '../http/adapter/tracked-response.js';

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

/** Longest Accept-Encoding that is parsed; browsers send 30 characters. */
const MAX_ACCEPT_ENCODING = 256;

/** Serves the built page below /app/, within the limits of public routes. */
export class WebApp {
  static readonly isBuilt = existsSync(FOLDER);

  constructor(private readonly adapter: JsonExpressAdapter) {}

  handle(request: Request, response: Response & TrackedFields, next: NextFunction): void {
    const { method, path } = request;
    if (method !== 'GET' && method !== 'HEAD') next();
    else if (path === '/app' || (path === '/' && request.headers.accept?.includes('text/html')))
      response.vary('Accept').redirect(ROOT);
    else if (!path.startsWith(ROOT)) next();
    else if (!this.adapter.anonymousSlots.acquire(response)) next(new Overloaded());
    else sendFile(request, response, next);
  }
}

function sendFile(request: Request, response: Response, next: NextFunction): void {
  const name = request.path.slice(ROOT.length) || 'index.html';
  if (!SERVED.test(name)) {
    next();
    return;
  }
  Object.assign(request, { route: { path: `${ROOT}*` } }); // the log and the metrics read the route
  const [encoding, ending] = chooseEncoding(request);
  const headers = {
    'Cache-Control': name.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  const options = { root: FOLDER, headers, acceptRanges: false };
  response
    .type(extname(name))
    .vary('Accept-Encoding')
    .sendFile(name + ending, options, (error?: Error & { status?: number }) => {
      if (error && !response.headersSent) next(error.status === 404 ? undefined : error);
    });
}

/** Returns an encoding and the ending of its files, which the build writes beside each file. */
function chooseEncoding(request: Request): readonly [encoding: string | undefined, ending: string] {
  const isShort = String(request.headers['accept-encoding']).length <= MAX_ACCEPT_ENCODING;
  if (isShort && request.acceptsEncodings('br') === 'br') return ['br', '.br'];
  if (isShort && request.acceptsEncodings('gzip') === 'gzip') return ['gzip', '.gz'];
  return [undefined, ''];
}
