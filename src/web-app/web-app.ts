import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const ROOT = '/app/';
const FOLDER = fileURLToPath(import.meta.url).replace(
  /(?:\/dist)?\/src\/web-app\/[^/]+$/,
  '/dist/web',
);
const SERVED = /^((?:index|api)\.html|icon\.svg|assets\/[\w-]+\.(js|css))$/;

/** Where the interactive page of the API is, and where people look for it. */
const API_PAGE = '/api/v1/docs';
const SOUGHT = ['/docs', '/api', '/swagger', '/api/docs'];

const OWN_FILES_ALONE =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The one text that becomes a script is the address of the worker that reads files. */
const CONTENT_SECURITY_POLICY =
  OWN_FILES_ALONE + "; require-trusted-types-for 'script'; trusted-types reader";
/** Swagger UI has pictures in its styles, and sets HTML that it has made safe. */
const API_PAGE_POLICY = OWN_FILES_ALONE.replace("img-src 'self'", "img-src 'self' data:");

const PAGES: Readonly<Record<string, string>> = { [ROOT]: 'index.html', [API_PAGE]: 'api.html' };

/** What is sent for a file. */
interface Representation {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type WebFile = Record<'identity' | 'br', Representation>;

export const isWebAppBuilt = existsSync(FOLDER);

/**
 * Makes middleware that serves the built page below /app/. The files are read once and sent from
 * memory: a client that reads them slowly holds no request slot and no open file.
 */
export function webApp(): RequestHandler {
  const files = readFiles();
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method, path, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      next();
      return;
    }
    const name = PAGES[path] ?? (path.startsWith(ROOT) ? path.slice(ROOT.length) : '');
    const file = files.get(name);
    if (SOUGHT.includes(path)) response.redirect(API_PAGE);
    else if (path === '/app' || (path === '/' && headers.accept?.includes('text/html')))
      response.vary('Accept').redirect(ROOT);
    else if (file) sendFile(name, file, request, response);
    else next();
  };
}

/** Sends a file, or its compressed copy; Express answers 304 where the client has this ETag. */
function sendFile(name: string, file: WebFile, request: Request, response: Response): void {
  Object.assign(request, { route: { path: name === 'api.html' ? API_PAGE : `${ROOT}*` } }); // the log and the metrics read the route
  const { headers, bytes } = request.acceptsEncodings('br') === 'br' ? file.br : file.identity;
  response.type(extname(name)).vary('Accept-Encoding').set(headers).send(bytes);
}

/** Reads the files that are served, and the compressed copies that the build writes beside them. */
function readFiles(): ReadonlyMap<string, WebFile> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  const served = names.map((name) => name.replaceAll(sep, '/')).filter((name) => SERVED.test(name));
  return new Map(
    served.map((name) => [name, { identity: read(name), br: read(name, '.br') }] as const),
  );
}

function read(name: string, suffix = ''): Representation {
  const bytes = readFileSync(join(FOLDER, name + suffix));
  const hash = createHash('sha256').update(bytes).digest('base64url');
  const isNamedByHash = name.startsWith('assets/');
  const headers = {
    'Cache-Control': isNamedByHash ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Content-Security-Policy': name === 'api.html' ? API_PAGE_POLICY : CONTENT_SECURITY_POLICY,
    ETag: `"${hash}"`,
    ...(suffix !== '' && { 'Content-Encoding': suffix.slice(1) }),
  };
  return { bytes, headers };
}
