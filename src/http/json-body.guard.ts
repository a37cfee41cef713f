import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config.js';
import { InvalidJson, NotJson, UnsupportedCharset } from './body.errors.js';
import { readBody } from './read-body.js';

const JSON_TYPE = /^\s*application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * Reads the JSON body into `request.body`. A guard, and the one after the token guard, because a stranger's bytes are
 * never parsed: middleware would read them before the token was judged, pipes come after the login's own guards.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.body = hasBody(request) ? await this.readJson(request) : {}; // what is missing is then told field by field
    return true;
  }

  private async readJson(request: Request): Promise<unknown> {
    const type = request.headers['content-type'] ?? '';
    if (type !== 'application/json') assertJson(type);
    return parseJson(await readBody(request, this.config.BODY_LIMIT_BYTES));
  }
}

function hasBody({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function assertJson(contentType: string): void {
  const match = JSON_TYPE.exec(contentType);
  if (!match) throw new NotJson();
  const charset = CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
    throw new UnsupportedCharset();
}

function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text); // .NET clients send a byte order mark
  } catch (error) {
    throw new InvalidJson(placeOf(error, text));
  }
}

/** Where the parser stopped, as an editor counts. Its own message is not passed on: it quotes the body, a password perhaps. */
function placeOf(error: unknown, text: string): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return /end of JSON/.test(String(error)) ? ': it ends too early' : '';
  const lines = text.slice(0, Number(position)).split('\n');
  return `: line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
