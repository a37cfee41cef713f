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
  const preview = await NestFactory.createApplicationContext(root, {
    preview: true,
    logger: false,
  });
  const scanner = new MetadataScanner();
  return new DiscoveryService(preview.get(ModulesContainer))
    .getProviders()
    .flatMap(({ metatype }) => {
      const owner = metatype as FoundCommand['owner'] | null;
      const methods = owner?.prototype as Record<string, object> | undefined; // a value or an arrow function has none
      return scanner.getAllMethodNames(methods ?? null).flatMap((method) => {
        const description = Reflect.getMetadata(ADMIN_COMMAND, methods![method]!) as
          CommandDescription | undefined;
        return description ? [{ ...description, owner: owner!, method }] : [];
      });
    });
}
