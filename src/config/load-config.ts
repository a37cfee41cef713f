import { validateSync } from 'class-validator';
import { config as readDotenv } from 'dotenv';
import { type Config, configWith, type Setting, TOPICS } from './config.js';
import { secretWeakness } from './jwt-secret.js';
import { parseTrustedProxies } from './trusted-proxies.js';

/** Who reads the settings: the command line signs no tokens and needs no secret. */
type Reader = 'service' | 'command line';

const MIN_EXPOSED_BCRYPT_COST = 10;

/** Reads the settings from the environment, and those that it lacks from `.env`. */
export function loadConfig(reader: Reader = 'service'): Config {
  readDotenv({ quiet: true });
  return parseConfig(process.env, reader);
}

/** Tells which settings of the place of business are defaults that nobody has chosen. */
export function placeProblems(): string[] {
  return Object.entries({ TIME_ZONE: 'Asia/Singapore', CURRENCY: 'SGD' })
    .filter(([name]) => (process.env[name] ?? '').trim() === '')
    .map(([name, example]) => `${name} is not set, such as ${example}`);
}

/** Makes an error of all that is wrong with the settings. */
export function settingsError(problems: readonly string[]): Error {
  return new Error(problems.map((problem) => `settings: ${problem}`).join('\n'));
}

/** Parses all settings, and throws every problem at once; an empty value means the default. */
export function parseConfig(
  environment: Readonly<Record<string, Setting | undefined>>,
  reader: Reader = 'service',
): Config {
  const parsed: Record<string, Setting> = {};
  for (const [name, initial] of Object.entries<Setting>({ ...configWith() })) {
    const text = String(environment[name] ?? '').trim();
    parsed[name] = text === '' ? initial : parseSetting(text, initial);
  }
  const config = configWith(parsed);
  const errors = TOPICS.flatMap((Topic) =>
    validateSync(Object.assign(new Topic(), config), { stopAtFirstError: true }),
  );
  const invalid = errors.flatMap(({ constraints }) => Object.values(constraints ?? {}));
  const problems = [...invalid, ...deploymentProblems(config, reader)];
  if (problems.length > 0) throw settingsError(problems);
  return config;
}

export function isOnLoopback({ HOST }: Pick<Config, 'HOST'>): boolean {
  return /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|::1)$/i.test(HOST);
}

/** Parses a text as its default is; what is neither a number nor a boolean fails its rule. */
function parseSetting(text: string, initial: Setting): Setting {
  if (typeof initial === 'string') return text;
  if (typeof initial === 'boolean') return /^(true|false)$/.test(text) ? text === 'true' : text;
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}

function deploymentProblems(config: Config, reader: Reader): string[] {
  const { NODE_ENV, DATABASE_URL, BCRYPT_COST } = config;
  const problems: string[] = [];
  const isProduction = NODE_ENV === 'production';
  const isExposed = isProduction || DATABASE_URL !== '' || !isOnLoopback(config);
  if (!parseTrustedProxies(config.TRUST_PROXY))
    problems.push(
      'TRUST_PROXY must list IP addresses, networks, loopback, linklocal or uniquelocal, or be a number of proxies',
    );
  if (isProduction && DATABASE_URL === '')
    problems.push('DATABASE_URL is missing: production never runs on the embedded database');
  if (isExposed && BCRYPT_COST < MIN_EXPOSED_BCRYPT_COST)
    problems.push(
      `BCRYPT_COST must be at least ${MIN_EXPOSED_BCRYPT_COST}, except with the embedded database on a loopback HOST`,
    );
  if (config.SECOND_FACTOR !== 'off' && config.SECOND_FACTOR_KEY.length < 32)
    problems.push('SECOND_FACTOR_KEY must have 32 characters or more: openssl rand -base64 32');
  if (reader === 'command line') return problems;
  if (isProduction && config.JWT_SECRET === '') problems.push('JWT_SECRET is missing');
  for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'PAGE', 'CLAIM'] as const)
    if (config.COMPANY_LOGIN_ISSUER !== '' && config[`COMPANY_LOGIN_${name}`] === '')
      problems.push(`COMPANY_LOGIN_${name} is missing`);
  if (!isExposed) return problems;
  for (const name of ['JWT_SECRET', 'JWT_PREVIOUS_SECRET'] as const) {
    const weakness = config[name] === '' ? undefined : secretWeakness(config[name]);
    if (weakness !== undefined) problems.push(`${name} ${weakness}`);
  }
  return problems;
}
