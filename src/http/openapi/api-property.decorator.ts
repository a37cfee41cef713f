import type { ApiPropertyOptions } from '@nestjs/swagger';

const notes: { readonly prototype: object; readonly field: string | symbol; readonly options: ApiPropertyOptions }[] =
  [];

/**
 * What the OpenAPI page says of a field. It is only noted here: loading @nestjs/swagger takes a fifth of a second, and
 * a process that never shows the page (a command, a test) should not wait for it.
 */
export function Documented(options: ApiPropertyOptions): PropertyDecorator {
  return (prototype, field) => void notes.push({ prototype, field, options });
}

/** Hands everything noted to @nestjs/swagger; to be called before the OpenAPI document is made. */
export async function publishDocumentation(): Promise<void> {
  const { ApiProperty } = await import('@nestjs/swagger');
  for (const { prototype, field, options } of notes) ApiProperty(options)(prototype, field);
}
