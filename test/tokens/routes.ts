import type { INestApplicationContext, Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** The controller and the method of every route of an application. */
export function routesOf(app: INestApplicationContext): { controller: Type; handler: object }[] {
  const scanner = new MetadataScanner();
  const modules = [...app.get(ModulesContainer).values()];
  return modules
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => {
      const controller = metatype as Type;
      const handlers = scanner
        .getAllMethodNames(controller.prototype)
        .map((name) => controller.prototype[name]);
      return handlers
        .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler))
        .map((handler) => ({ controller, handler }));
    });
}
