import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, Response } from 'express';
import type { JsonExpressAdapter } from '../http/server/json-express.adapter.js';
import type { Tracking } from '../http/server/tracked-response.js';

const ROOT = '/app/';
const FOLDER = fileURLToPath(import.meta.url).replace(/(?:\/dist)?\/src\/web-app\/[^/]+$/, '/dist/web');

const SERVED = /\.(html|js|css|svg)$/;

/** The build writes both beside each file. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

const CONTENT_SECURITY_POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

/** Browsers send 30 characters; choosing parses all. */
const MAX_ACCEPT_ENCODING = 256;

type Files = ReadonlyMap<string, Buffer>;

/** Serves the built page below /app/, within the limits of public routes. */
export class WebApp {
  static readonly isBuilt = existsSync(FOLDER);
  private files: Files | undefined;

  constructor(private readonly adapter: JsonExpressAdapter) {}

  async handle(request: Request, response: Response & Tracking, next: NextFunction): Promise<void> {
    const { method, path } = request;
    if (method !== 'GET' && method !== 'HEAD') next();
    else if (path === '/app' || (path === '/' && request.headers.accept?.includes('text/html')))
      this.redirect(response);
    else if (!path.startsWith(ROOT)) next();
    else if (!this.adapter.publicSlots.acquire(response)) next(this.adapter.overload(request));
    else await this.sendFile(request, response, next);
  }

  private redirect(response: Response): void {
    response.vary('Accept').set({ Location: ROOT, 'Content-Type': 'text/plain; charset=utf-8' });
    this.adapter.reply(response, `see ${ROOT}`, 302);
  }

  private async sendFile(request: Request, response: Response, next: NextFunction): Promise<void> {
    const files = (this.files ??= await readFiles());
    const name = request.path.slice(ROOT.length) || 'index.html';
    const plain = files.get(name);
    if (!plain || !SERVED.test(name)) {
      next();
      return;
    }
    Object.assign(request, { route: { path: `${ROOT}*` } }); // for the log and the metrics
    const [encoding, bytes] = encoded(files, name, request) ?? [undefined, plain];
    if (encoding) response.set('Content-Encoding', encoding);
    response.type(extname(name)).vary('Accept-Encoding').set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.set('Cache-Control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    this.adapter.reply(response, bytes, 200);
  }
}

async function readFiles(): Promise<Files> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(FOLDER.length + 1), await readFile(path)] as const)),
  );
}

function encoded(files: Files, name: string, request: Request): readonly [string, Buffer] | undefined {
  if (String(request.headers['accept-encoding']).length > MAX_ACCEPT_ENCODING) return undefined;
  for (const [encoding, ending] of Object.entries(ENCODINGS)) {
    const bytes = files.get(name + ending);
    if (bytes && request.acceptsEncodings(encoding) === encoding) return [encoding, bytes];
  }
  return undefined;
}
