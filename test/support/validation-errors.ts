import { ValidationPipe } from '@nestjs/common';
import { compileDto } from '../../src/http/validation/compile-dto.js';
import { FieldErrors, type ReportedError } from '../../src/http/validation/field-errors.js';
import { reportErrors, validate } from '../../src/http/validation/request-validation.pipe.js';

type Dto = new () => object;

/** The response text to a body, or undefined where it is valid. */
export async function errorText(Dto: Dto, body: object | string): Promise<string | undefined> {
  try {
    await validate(Dto, typeof body === 'string' ? JSON.parse(body) : body, 'body');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** All errors that the compiled rules of a DTO class find. */
export function compiledErrors(Dto: Dto, body: object): string[] {
  const compiled = compileDto(Dto);
  if (!compiled) throw new Error(`${Dto.name} is not compiled`);
  if (compiled.passes(body)) return [];
  const errors = new UnlimitedErrors();
  compiled.report('', body, errors);
  return errors.all;
}

/** All errors that Nest's ValidationPipe finds by the same decorators. */
export async function nestErrors(Dto: Dto, body: object): Promise<string[]> {
  const errors = new UnlimitedErrors();
  const pipe = new ValidationPipe({
    transform: true,
    forbidUnknownValues: true,
    validationError: { target: true, value: true },
    exceptionFactory: (found) => {
      reportErrors(found, errors);
      return new Error('invalid');
    },
  });
  await pipe.transform(structuredClone(body), { type: 'body', metatype: Dto }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'invalid') throw error;
  });
  return errors.all;
}

class UnlimitedErrors extends FieldErrors {
  private readonly every: string[] = [];
  private tooMany: string | undefined;

  override add({ text }: ReportedError): void {
    this.every.push(text());
  }

  override addTooManyEntries(text: string): void {
    this.tooMany = text;
  }

  get all(): string[] {
    return this.tooMany === undefined ? this.every : [this.tooMany];
  }
}
