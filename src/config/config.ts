import { DatabaseConfig } from './database.config.js';
import { LimitsConfig } from './limits.config.js';
import { LoginConfig } from './login.config.js';
import { OperationConfig } from './operation.config.js';
import { PeopleConfig } from './people.config.js';
import { ServerConfig } from './server.config.js';

/**
 * The classes of settings, one for each topic; each can be injected. A property is an environment
 * variable, its initial value the default, its decorators the rule, and its comment the text in
 * .env.example.
 */
export const TOPICS = [
  ServerConfig,
  DatabaseConfig,
  LoginConfig,
  PeopleConfig,
  LimitsConfig,
  OperationConfig,
  // a new topic goes here
];

/** The settings of all topics. */
export interface Config
  extends ServerConfig, DatabaseConfig, LoginConfig, PeopleConfig, LimitsConfig, OperationConfig {}

/** The value of a setting; null where a number is not given. */
export type Setting = string | number | boolean | null;

/** Returns the defaults with some settings changed. */
export function configWith(changes: Partial<Config> = {}): Config {
  return Object.assign({}, ...TOPICS.map((Topic) => new Topic()), changes) as Config;
}
