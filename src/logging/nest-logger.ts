import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** What Nest and the features write through Nest's `Logger`, brought into the one log. */
export class NestLogger implements LoggerService {
  constructor(private readonly target: Logger) {}

  /** Nest tells every route and module when it starts, which is worth no line in production. */
  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** The last of the rest is the context; before it `error` may have a stack. */
  private write(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.target[level]({ context, err: message });
    else this.target[level]({ context, stack: rest.length > 1 ? rest[0] : undefined }, String(message));
  }
}
