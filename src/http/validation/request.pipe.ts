import type { ArgumentMetadata, Type, ValidationError } from '@nestjs/common';
import { Injectable, ValidationPipe } from '@nestjs/common';
import { InvalidRequest } from '../errors/http.errors.js';
import type { ServiceError } from '../errors/service-error.js';
import type { Fault, Field, FieldRule } from './define-field.js';
import { checkNames, checkObject, isObject, ownFieldsOf, textOf } from './define-field.js';

/** Depth beyond which objects are rejected, as class-transformer is recursive. */
const MAX_DEPTH = 32;
const MAX_POINTERS = 20;
const MAX_TEXTS = 10;

/**
 * Validates requests, with the errors of the service. A DTO whose fields all have decorators of
 * this folder is checked by a loop; any other by class-validator, as Nest documents, which copies
 * what was sent and walks it four times.
 */
@Injectable()
export class RequestPipe extends ValidationPipe {
  /** The fields that the loop checks; undefined for a class that it does not. */
  private readonly ownFields = new Map<unknown, readonly Field[] | undefined>();

  constructor() {
    super({
      whitelist: true,
      forbidUnknownValues: true,
      transform: true,
      exceptionFactory: (errors) => rejection(faultsOf(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A pipe of the parameter comes next: Nest would make false of `flag=x` for its ParseBoolPipe.
    if (!this.toValidate(metadata)) return value;
    const { type, metatype } = metadata;
    const sent = value === undefined ? {} : value;
    if (!isObject(sent)) throw new InvalidRequest(`the ${type} must be a JSON object`);
    const fields = this.fieldsOf(metatype);
    if (!fields) {
      if (isDeeper(sent, MAX_DEPTH)) throw new InvalidRequest(`the ${type} is nested too deeply`);
      return super.transform(sent, metadata);
    }
    const named = type === 'query' ? checkNames(fields, sent) : [];
    const faults = checkObject(fields, sent, '');
    if (named.length > 0 || faults.length > 0) {
      const others = faults.filter(({ path }) => named.every((fault) => fault.path !== path));
      const isEmpty = type === 'body' && value === undefined;
      throw rejection([...named, ...others], isEmpty ? 'the body is empty: ' : '');
    }
    return Object.assign(new metatype!() as object, sent);
  }

  private fieldsOf(Dto: unknown): readonly Field[] | undefined {
    if (!this.ownFields.has(Dto)) this.ownFields.set(Dto, ownFieldsOf(Dto as Type<object>));
    return this.ownFields.get(Dto);
  }
}

const pipe = new RequestPipe();

/** Validates what does not come as a request, such as the content of a file. */
export async function validateDto<Dto extends object>(metatype: Type<Dto>, value: unknown) {
  return (await pipe.transform(value, { type: 'body', metatype })) as Dto;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** Returns the faults that class-validator found below a path. */
function faultsOf(errors: readonly ValidationError[], parent = ''): Fault[] {
  return errors.flatMap(({ property, value, constraints = {}, contexts = {}, children = [] }) => {
    const isEntry = /^\d+$/.test(property);
    const path = isEntry ? `${parent}[${property}]` : [parent, property].filter(Boolean).join('.');
    const own = Object.entries(constraints).flatMap(([constraint, message]): readonly Fault[] => {
      const { check } = (contexts[constraint] ?? {}) as Partial<FieldRule>;
      const [name, ...words] = message.split(' ');
      const text = name === property ? words.join(' ') : `is invalid: ${message}`;
      return check?.(value, '', path) ?? [{ path, text }];
    });
    return [...own, ...faultsOf(children, path)];
  });
}

/** Makes the response to a request with faults. */
function rejection(faults: readonly Fault[], prefix = ''): ServiceError {
  const more = faults.length - MAX_TEXTS;
  const words = textOf(faults.slice(0, MAX_TEXTS)) + (more > 0 ? `; ... and ${more} more` : '');
  // In a JSON pointer (RFC 6901) the parts of a path follow slashes.
  const named = faults.slice(0, MAX_POINTERS);
  const pointers = named.map(({ path }) => `/${path.replace(/\]$/, '').replace(/\]?[.[]/g, '/')}`);
  return new InvalidRequest(prefix + words, pointers);
}
