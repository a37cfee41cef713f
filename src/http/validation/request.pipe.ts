import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { validate as findErrors } from 'class-validator';
import { InvalidRequest } from '../errors/http.errors.js';
import { isValidatedByRoute } from './check-routes.js';
import { declaredFields, pickDeclared, type DtoClass } from './define-field.js';
import { toServiceError } from './faults.js';

/** class-transformer is recursive. */
const MAX_DEPTH = 32;

const OPTIONS = {
  whitelist: true,
  forbidUnknownValues: true,
  validationError: { target: true, value: true },
} as const;

const uncopied = new WeakSet<DtoClass>();

/** Marks a DTO whose body is not copied before it is validated: its lists are `ListField`s. */
export function Uncopied(): (Dto: DtoClass) => void {
  return (Dto) => void uncopied.add(Dto);
}

/** Nest's ValidationPipe with the service's errors. */
@Injectable()
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({ ...OPTIONS, transform: true, exceptionFactory: toServiceError });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!this.toValidate(metadata)) return super.transform(value, metadata);
    const object = value === undefined ? {} : value;
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw new InvalidRequest(`the ${type} must be a JSON object`);
    const Dto = metatype as DtoClass;
    if (uncopied.has(Dto)) return validateUncopied(Dto, object);
    if (isDeeper(object, MAX_DEPTH)) throw new InvalidRequest(`the ${type} is nested too deeply`);
    if (isValidatedByRoute(Dto)) return object;
    return super.transform(object, metadata);
  }
}

const pipe = new RequestPipe();

/** Validates what does not come as a request: the content of a file. */
export async function validate<Dto extends object>(
  metatype: new () => Dto,
  value: unknown,
): Promise<Dto> {
  return (await pipe.transform(value, { type: 'body', metatype })) as Dto;
}

async function validateUncopied(Dto: DtoClass, sent: object): Promise<object> {
  const dto = Object.assign(new Dto(), pickDeclared(declaredFields(Dto), sent));
  const errors = await findErrors(dto, OPTIONS);
  if (errors.length > 0) throw toServiceError(errors);
  return dto;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
