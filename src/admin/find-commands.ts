import type { Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { ADMIN_COMMAND, type CommandDescription } from './admin-command.decorator.js';

export interface FoundCommand extends CommandDescription {
  readonly owner: Type<Record<string, unknown>>;
  readonly method: string;
}

/** Finds the commands of all modules; nothing is instantiated, so help needs no settings or database. */
export async function findCommands(
  root: Parameters<typeof NestFactory.createApplicationContext>[0],
): Promise<FoundCommand[]> {
  const preview = await NestFactory.createApplicationContext(root, { preview: true, logger: false });
  const scanner = new MetadataScanner();
  return new DiscoveryService(preview.get(ModulesContainer))
    .getProviders()
    .flatMap(({ metatype }) => (isClass(metatype) ? commandsOf(metatype, scanner) : []));
}

function isClass(metatype: unknown): metatype is Type<Record<string, unknown>> {
  return typeof metatype === 'function' && typeof metatype.prototype === 'object' && metatype.prototype !== null;
}

function commandsOf(owner: Type<Record<string, unknown>>, scanner: MetadataScanner): FoundCommand[] {
  return scanner.getAllMethodNames(owner.prototype as object).flatMap((method) => {
    const handler = (owner.prototype as Record<string, unknown>)[method];
    const description = Reflect.getMetadata(ADMIN_COMMAND, handler as object) as CommandDescription | undefined;
    return description ? [{ ...description, owner, method }] : [];
  });
}
