import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Response } from 'express';

const ROOT = '/app/';
const FOLDER = fileURLToPath(import.meta.url).replace(
  /(?:\/dist)?\/src\/web-app\/[^/]+$/,
  '/dist/web',
);
/** The build writes these copies beside each file. */
const SUFFIXES: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };
const SERVED = /^((?:index|api)\.html|icon\.svg|assets\/[\w-]+\.(js|css))$/;

/** Where the interactive page of the API is, and where people look for it. */
const API_PAGE = '/api/v1/docs';
const SOUGHT = ['/docs', '/api', '/swagger', '/api/docs'];

const PAGES: Readonly<Record<string, string>> = { [ROOT]: 'index.html', [API_PAGE]: 'api.html' };

const OWN_FILES_ALONE =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The one text that becomes a script is the address of the worker that reads files. */
const CONTENT_SECURITY_POLICY =
  OWN_FILES_ALONE + "; require-trusted-types-for 'script'; trusted-types reader";
/** Swagger UI has pictures in its styles, and sets HTML that it has made safe. */
const API_PAGE_POLICY = OWN_FILES_ALONE.replace("img-src 'self'", "img-src 'self' data:");

export const isWebAppBuilt = existsSync(FOLDER);

/** Makes middleware that serves the built page below /app/; it takes no request slot. */
export function webApp(): RequestHandler {
  const serveFile = express.static(FOLDER, { index: false, redirect: false, setHeaders });
  return (request, response, next): void => {
    const { method, path, headers } = request;
    const name = PAGES[path] ?? (path.startsWith(ROOT) ? path.slice(ROOT.length) : '');
    if (method !== 'GET' && method !== 'HEAD') next();
    else if (SOUGHT.includes(path)) response.redirect(API_PAGE);
    else if (path === '/app' || (path === '/' && headers.accept?.includes('text/html')))
      response.vary('Accept').redirect(ROOT);
    else if (SERVED.test(name)) {
      const encoding = Object.keys(SUFFIXES).find((each) => request.acceptsEncodings(each));
      const suffix = SUFFIXES[encoding ?? ''] ?? '';
      // The log and the metrics read the route.
      const route = { path: name === 'api.html' ? API_PAGE : `${ROOT}*` };
      Object.assign(request, { route, url: `/${name}${suffix}` });
      serveFile(request, response, next);
    } else next();
  };
}

function setHeaders(response: Response, file: string): void {
  const encoding = Object.keys(SUFFIXES).find((each) => file.endsWith(SUFFIXES[each]!));
  const name = file.slice(FOLDER.length + 1).replace(/\.(br|gz)$/, '');
  const isNamedByHash = name.startsWith('assets/');
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response
    .type(extname(name))
    .vary('Accept-Encoding')
    .set({
      'Cache-Control': isNamedByHash ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Content-Security-Policy': name === 'api.html' ? API_PAGE_POLICY : CONTENT_SECURITY_POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
}
