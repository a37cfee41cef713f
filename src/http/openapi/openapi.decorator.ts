import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common/enums/request-method.enum.js';
import type * as Swagger from '@nestjs/swagger';
import type { ErrorStatus } from './error-responses.js';

type Library = typeof Swagger;
type DecoratorFactory = (...options: never[]) => (...target: never[]) => unknown;

const pending: ((library: Library) => unknown)[] = [];

export const ApiOperation = deferred('ApiOperation');
export const ApiProperty = deferred('ApiProperty');
export const ApiResponse = deferred('ApiResponse');
export const ApiTags = deferred('ApiTags');

/** Documents a route's success body (undefined: none; a media type: a file) and own errors; those of any route are added. */
export function ApiResponses(
  body: (new () => object) | `${string}/${string}` | undefined,
  ...errors: ErrorStatus[]
): MethodDecorator {
  const file = { content: { [String(body)]: { schema: { type: 'string' } } } };
  return (target, key, descriptor) => {
    pending.push((library) => {
      const success = {
        status: successStatus(descriptor.value as object),
        ...(typeof body === 'string' ? file : body && { type: body }),
      };
      for (const response of [success, ...errors.map((status) => ({ status }))]) {
        library.ApiResponse(response)(target, key, descriptor);
      }
    });
  };
}

/** Applies the decorators; call it before the document is made. */
export async function applySwaggerDecorators(): Promise<void> {
  const library = await import('@nestjs/swagger');
  for (const apply of pending.splice(0)) apply(library);
}

/** A decorator of @nestjs/swagger, loaded with the document: see docs/performance.md#openapi. */
function deferred<Name extends keyof Library>(name: Name): Library[Name] & DecoratorFactory {
  const factory: DecoratorFactory =
    (...options) =>
    (...target) => {
      pending.push((library) => (library[name] as DecoratorFactory)(...options)(...target));
    };
  return factory as Library[Name] & DecoratorFactory;
}

function successStatus(handler: object): number {
  const status = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return status ?? (Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST ? 201 : 200);
}
