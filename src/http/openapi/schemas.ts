import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
type SchemaOrReference = NonNullable<Components['schemas']>[string];
export type Schema = Exclude<SchemaOrReference, { readonly $ref: string }>;

export function resolve(schema: SchemaOrReference | undefined, { schemas = {} }: Components): Schema | undefined {
  if (!schema || !('$ref' in schema)) return schema;
  return schemas[schema.$ref.replace('#/components/schemas/', '')] as Schema | undefined;
}

/** Copies the schemas of nullable objects into their fields: in OpenAPI 3.0 a reference does not admit null. */
export function inlineNullables(components: Components): void {
  for (const schema of Object.values(components.schemas ?? {})) {
    for (const property of Object.values(('properties' in schema && schema.properties) || {})) {
      if (!('nullable' in property) || !property.allOf) continue;
      Object.assign(property, resolve(property.allOf[0], components), property);
      delete property.allOf;
    }
  }
}

/** A value that the schema admits. */
export function exampleOf(given: SchemaOrReference | undefined, components: Components): unknown {
  const schema = resolve(given, components) ?? {};
  const { allOf, type, items, properties = {}, minimum = 0 } = schema;
  if ('example' in schema) return schema.example;
  if (schema.nullable) return null;
  if (allOf) return exampleOf(allOf[0], components);
  if (type === 'array') return [exampleOf(items, components)];
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field, components)]));
  }
  if (type === 'integer' || type === 'number') return minimum;
  return type === 'boolean' ? true : ((schema.enum?.[0] as unknown) ?? 'text');
}
