import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

type Write = (message: unknown, ...rest: unknown[]) => void;

/** Brings what Nest and Nest's `Logger` write into the log. */
export class NestLogger implements LoggerService {
  readonly log = this.at('debug'); // Nest logs every route and module at the start
  readonly fatal = this.at('fatal');
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');

  constructor(private readonly target: Logger) {}

  /** The last of the rest is the context; before it `error` may have a stack. */
  private at(level: Level): Write {
    return (message, ...rest) => {
      const context = rest.at(-1);
      if (message instanceof Error) this.target[level]({ context, err: message });
      else this.target[level]({ context, stack: rest.length > 1 ? rest[0] : undefined }, String(message));
    };
  }
}
