import type { FactoryProvider } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { AppConfig } from './app-config.js';

export type Setting = string | number | boolean;
type SettingsClass<T extends object = object> = new () => T;

const featureSettings = new Set<SettingsClass>();

/** Provides a feature's own settings, which are read, checked and documented like those of `AppConfig`. */
export function provideSettings<T extends object>(Settings: SettingsClass<T>): FactoryProvider<T> {
  const repeated = Object.keys(new Settings()).find((name) => name in defaultSettings());
  if (repeated !== undefined) throw new Error(`${Settings.name}: there is a setting ${repeated} already`);
  featureSettings.add(Settings);
  return { provide: Settings, inject: [AppConfig], useFactory: (config: AppConfig) => settingsOf(Settings, config) };
}

/** Every setting, those of the loaded features included, with its default. */
export function defaultSettings(): Readonly<Record<string, Setting>> {
  return Object.assign(
    {},
    new AppConfig(),
    ...[...featureSettings].map((Settings) => new Settings()),
  ) as object as Readonly<Record<string, Setting>>;
}

/** The broken rules of all settings. */
export function ruleErrors(config: AppConfig): string[] {
  const groups = [config, ...[...featureSettings].map((Settings) => settingsOf(Settings, config))];
  const errors = groups.flatMap((settings) => validateSync(settings, { stopAtFirstError: true }));
  return errors.flatMap(({ constraints }) => Object.values(constraints ?? {}));
}

/** The values of a configuration; the default where it was made without the feature's. */
function settingsOf<T extends object>(Settings: SettingsClass<T>, config: AppConfig): T {
  const settings = new Settings();
  const given = Object.keys(settings).filter((name) => name in config);
  return Object.assign(settings, Object.fromEntries(given.map((name) => [name, Reflect.get(config, name) as Setting])));
}
