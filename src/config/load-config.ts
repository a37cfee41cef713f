import { config as readDotenv } from 'dotenv';
import { AppConfig } from './app-config.js';
import { defaultSettings, ruleErrors, type Setting } from './feature-settings.js';
import { secretWeakness } from './jwt-secret.js';
import { formerNameOf } from './setting.decorators.js';

export class InvalidConfig extends Error {}

/** The command line signs no tokens; workers' settings are checked already. */
type Reader = 'service' | 'worker' | 'command line';

const MIN_EXPOSED_BCRYPT_COST = 10;

/** The environment overrides `.env`. */
export function loadConfig(reader: Reader = 'service'): AppConfig {
  const fromFile: Record<string, string> = {};
  readDotenv({ quiet: true, processEnv: fromFile });
  return parseConfig({ ...fromFile, ...process.env }, reader);
}

/** An empty value means the default. */
export function parseConfig(
  environment: Readonly<Record<string, string | undefined>>,
  reader: Reader = 'service',
): AppConfig {
  const parsed: Record<string, Setting> = {};
  const problems: string[] = [];
  for (const [name, initial] of Object.entries(defaultSettings())) {
    const text = readSetting(name, environment);
    const value = text === '' ? initial : parseSetting(text, initial);
    if (value === undefined)
      problems.push(`${name} must be ${typeof initial === 'number' ? 'a whole number' : 'true or false'}`);
    else parsed[name] = value;
  }
  const config = Object.assign(new AppConfig(), parsed);
  problems.push(...ruleErrors(config), ...(reader === 'worker' ? [] : deploymentProblems(config, reader)));
  if (problems.length > 0) throw new InvalidConfig(problems.map((problem) => `settings: ${problem}`).join('\n'));
  return config;
}

export function isOnLoopback({ HOST }: Pick<AppConfig, 'HOST'>): boolean {
  return /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|::1)$/i.test(HOST);
}

function readSetting(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const text = environment[name]?.trim() ?? '';
  const former = formerNameOf(name);
  if (text !== '' || former === undefined || !environment[former]?.trim()) return text;
  process.emitWarning(`settings: ${former} is now ${name}; the old name will not be read in a later release`);
  return environment[former].trim();
}

function parseSetting(text: string, initial: Setting): Setting | undefined {
  if (typeof initial === 'number') return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (typeof initial === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}

function deploymentProblems(config: AppConfig, reader: Reader): string[] {
  const { NODE_ENV, DATABASE_URL, BCRYPT_COST } = config;
  const problems: string[] = [];
  const isProduction = NODE_ENV === 'production';
  const isExposed = isProduction || DATABASE_URL !== '' || !isOnLoopback(config);
  if (isProduction && DATABASE_URL === '')
    problems.push('DATABASE_URL is missing: production never runs on the embedded database');
  if (isExposed && BCRYPT_COST < MIN_EXPOSED_BCRYPT_COST)
    problems.push(
      `BCRYPT_COST must be at least ${MIN_EXPOSED_BCRYPT_COST}, except with the embedded database on a loopback HOST`,
    );
  if (reader === 'command line') return problems;
  if (isProduction && config.JWT_SECRET === '') problems.push('JWT_SECRET is missing');
  for (const name of isExposed ? (['JWT_SECRET', 'JWT_PREVIOUS_SECRET'] as const) : []) {
    const weakness = config[name] === '' ? undefined : secretWeakness(config[name]);
    if (weakness !== undefined) problems.push(`${name} ${weakness}`);
  }
  return problems;
}
