import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

type Write = (message: unknown, ...rest: unknown[]) => void;

/** Writes the messages of Nest's `Logger` to the log. */
export class NestLogger implements LoggerService {
  readonly log = this.at('debug'); // Nest logs every route and module
  readonly fatal = this.at('fatal');
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');

  constructor(private readonly target: Logger) {}

  private at(level: Level): Write {
    return (message, ...rest) => {
      const context = rest.at(-1);
      if (message instanceof Error) this.target[level]({ context, err: message });
      else
        this.target[level](
          { context, stack: rest.length > 1 ? rest[0] : undefined },
          String(message),
        );
    };
  }
}
