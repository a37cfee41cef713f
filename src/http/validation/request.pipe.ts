import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { InvalidRequest } from '../errors/http.errors.js';
import { loopFieldsOf, pick, type DtoClass, type LoopField } from './define-field.js';
import { rejection, toServiceError } from './faults.js';

/** Deeper objects are rejected: class-transformer is recursive. */
const MAX_DEPTH = 32;

const uncopied = new Map<DtoClass, readonly LoopField[]>();

/**
 * Marks a DTO that is checked without class-transformer and class-validator, which copy what was
 * sent and walk it four times: its fields have decorators of this folder alone.
 */
export function Uncopied(): (Dto: DtoClass) => void {
  return (Dto) => void uncopied.set(Dto, loopFieldsOf(Dto));
}

/** Nest's ValidationPipe with the service's errors. */
@Injectable()
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidUnknownValues: true,
      transform: true,
      validationError: { target: true, value: true },
      exceptionFactory: toServiceError,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!this.toValidate(metadata)) return super.transform(value, metadata);
    const object = value === undefined ? {} : value;
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw new InvalidRequest(`the ${type} must be a JSON object`);
    const fields = uncopied.get(metatype as DtoClass);
    if (fields) return checkUncopied(metatype as DtoClass, fields, object);
    if (isDeeper(object, MAX_DEPTH)) throw new InvalidRequest(`the ${type} is nested too deeply`);
    return super.transform(object, metadata);
  }
}

const pipe = new RequestPipe();

/** Validates what does not come as a request, such as the content of a file. */
export async function validateDto<Dto extends object>(
  metatype: new () => Dto,
  value: unknown,
): Promise<Dto> {
  return (await pipe.transform(value, { type: 'body', metatype })) as Dto;
}

function checkUncopied(Dto: DtoClass, fields: readonly LoopField[], sent: object): object {
  const dto = Object.assign(new Dto(), pick(fields, sent)) as Record<string, unknown>;
  const faults = fields.flatMap(({ name, rule, isOptional }) => {
    if (isOptional && dto[name] === undefined) return [];
    if (rule.parse) dto[name] = rule.parse(dto[name]) ?? null;
    return rule.faultsOf(dto[name], name);
  });
  if (faults.length > 0) throw rejection(faults);
  return dto;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
