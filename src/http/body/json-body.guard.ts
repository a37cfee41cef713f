import { isUtf8 } from 'node:buffer';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../../config/app-config.js';
import { InvalidJson, NotJson, NotUtf8, UnsupportedCharset } from '../errors/http.errors.js';
import { findJsonError } from './json-error.js';
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
    request.body = hasBody(request) ? await this.readJson(request) : {};
    return true;
  }

  /**
   * The bytes first: too many of them outranks every other fault, that they are not called JSON included. None at all
   * are an empty object, so that what is missing is told field by field.
   */
  private async readJson(request: Request): Promise<unknown> {
    const bytes = await readBody(request, this.config.BODY_LIMIT_BYTES);
    if (bytes.length === 0) return {};
    const type = request.headers['content-type'] ?? '';
    if (type !== 'application/json') assertJson(type);
    return parseJson(bytes);
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
  if (!isUtf8(bytes)) throw new NotUtf8();
  const sent = bytes.toString('utf8');
  const text = sent.charCodeAt(0) === 0xfeff ? sent.slice(1) : sent; // .NET clients send a byte order mark
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidJson(placeOf(findJsonError(text), text));
  }
}

/** Lines and columns as an editor counts them. */
function placeOf(fault: ReturnType<typeof findJsonError>, text: string): string {
  if (!fault) return '';
  if (fault.at === text.length) return `: it ends where ${fault.expected} is expected`;
  const lines = text.slice(0, fault.at).split('\n');
  return `: line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${fault.expected} is expected`;
}
