import { validateSync } from 'class-validator';
import { config as readDotenv } from 'dotenv';
import { AppConfig } from './app-config.js';

/** The settings are unusable; the message names every problem, a line each. */
export class InvalidConfig extends Error {}

type Setting = string | number | boolean;

/** Who reads the settings: the service, or the administrator's command line, which never touches a token's secret. */
type Reader = 'service' | 'command line';

/** Reads the settings from `.env` (where present) and the environment, which wins. Throws `InvalidConfig`. */
export function loadConfig(reader: Reader = 'service'): AppConfig {
  const fromFile: Record<string, string> = {};
  readDotenv({ quiet: true, processEnv: fromFile });
  return parseConfig({ ...fromFile, ...process.env }, reader);
}

/** The settings of one environment, checked. Throws `InvalidConfig` with all problems at once. */
export function parseConfig(
  environment: Readonly<Record<string, string | undefined>>,
  reader: Reader = 'service',
): AppConfig {
  const parsed: Record<string, Setting> = {};
  const problems: string[] = [];
  for (const [name, initial] of Object.entries(new AppConfig()) as [string, Setting][]) {
    const text = environment[name];
    if (text === undefined || (text === '' && typeof initial !== 'string')) continue;
    const value = parseSetting(text, initial);
    if (value === undefined)
      problems.push(`${name} must be ${typeof initial === 'number' ? 'a whole number' : 'true or false'}`);
    else parsed[name] = value;
  }
  const config = Object.assign(new AppConfig(), parsed);
  problems.push(...brokenRules(config), ...productionProblems(config, reader));
  if (problems.length > 0) throw new InvalidConfig(problems.map((problem) => `settings: ${problem}`).join('\n'));
  return config;
}

function parseSetting(text: string, initial: Setting): Setting | undefined {
  const trimmed = text.trim();
  if (typeof initial === 'number') return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
  if (typeof initial === 'boolean') return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined;
  return trimmed;
}

function brokenRules(config: AppConfig): string[] {
  return validateSync(config, { stopAtFirstError: true }).flatMap((fault) => Object.values(fault.constraints ?? {}));
}

function productionProblems(config: AppConfig, reader: Reader): string[] {
  if (config.NODE_ENV !== 'production') return [];
  const problems: string[] = [];
  if (config.DATABASE_URL === '')
    problems.push('DATABASE_URL is missing: production never runs on the embedded database');
  if (reader === 'command line') return problems;
  if (config.JWT_SECRET === '') problems.push('JWT_SECRET is missing');
  else problems.push(...weakness('JWT_SECRET', config.JWT_SECRET));
  if (config.JWT_PREVIOUS_SECRET !== '') problems.push(...weakness('JWT_PREVIOUS_SECRET', config.JWT_PREVIOUS_SECRET));
  return problems;
}

/** Words that stand where somebody was meant to put a secret, and one sign repeated. */
const PLACEHOLDER =
  /change|replace|placeholder|example|dummy|sample|insert|fixme|todo|your[-_ ]?(?:own|jwt|secret|key|token)|<.*>|^(?:(?:secret|password|default|test|jwt|key)[-_ ]?)+$|^([x0*._?-])\1*$/i;

/** What makes a secret unfit. The secret itself is never told. */
function weakness(name: string, secret: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(secret) < 32) problems.push(`${name} is shorter than 32 bytes`);
  if (PLACEHOLDER.test(secret)) problems.push(`${name} is a placeholder: make one with "openssl rand -base64 48"`);
  return problems;
}
