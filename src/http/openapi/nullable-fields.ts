import type { ComponentsObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

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

/** Returns the schema that a reference points to, any other as it is. */
export function resolve(
  schema: SchemaObject | ReferenceObject | undefined,
  components: ComponentsObject,
): SchemaObject | undefined {
  if (!schema || !('$ref' in schema)) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return components.schemas?.[name] as SchemaObject | undefined;
}
