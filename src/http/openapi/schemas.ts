import type { ComponentsObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

type SchemaOrReference = SchemaObject | ReferenceObject;

export function resolve(schema: SchemaOrReference | undefined, components: ComponentsObject): SchemaObject | undefined {
  if (!schema || !('$ref' in schema)) return schema;
  return components.schemas?.[schema.$ref.replace('#/components/schemas/', '')] as SchemaObject | undefined;
}

/**
 * Makes nullable fields optional, and copies the schemas of nullable objects into them.
 *
 * In OpenAPI 3.0 a reference does not admit null; generated clients in Python reject null in a required field.
 */
export function adaptNullables(components: ComponentsObject): void {
  for (const schema of Object.values(components.schemas ?? {})) {
    if (!('properties' in schema)) continue;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!('nullable' in property)) continue;
      if (schema.required) schema.required = schema.required.filter((field) => field !== name);
      Object.assign(property, resolve(property.allOf?.[0], components), property);
      delete property.allOf;
    }
  }
}

/** A value that the schema admits. */
export function exampleOf(given: SchemaOrReference | undefined, components: ComponentsObject): unknown {
  const schema = resolve(given, components) ?? {};
  const { type, items, properties = {}, minimum = 0 } = schema;
  if ('example' in schema) return schema.example;
  if (schema.nullable) return null;
  if (type === 'array') return [exampleOf(items, components)];
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field, components)]));
  }
  if (type === 'integer' || type === 'number') return minimum;
  return type === 'boolean' ? true : ((schema.enum?.[0] as unknown) ?? 'text');
}
