import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Source texts by path from the project's root. */
export type Sources = ReadonlyMap<string, string>;

const PLATFORM = ['config', 'metrics', 'logging', 'http', 'database', 'health', 'admin'];

/** Which folders a folder of src may import from, besides itself. Files directly in src and in server may import anything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  config: [],
  metrics: [],
  logging: ['config', 'metrics'],
  http: ['config', 'logging', 'metrics'],
  database: ['config', 'logging', 'metrics', '../migrations'],
  'embedded-postgres': ['config', 'logging'],
  health: ['config', 'database', 'http', 'logging', 'metrics'],
  admin: ['config', 'database', 'http', 'logging', 'metrics', '../migrations'],
  audit: PLATFORM,
  users: [...PLATFORM, 'audit'],
  auth: [...PLATFORM, 'audit', 'users'],
  restaurants: [...PLATFORM, 'audit', 'users', 'auth'],
  sales: [...PLATFORM, 'audit', 'users', 'auth', 'restaurants'],
};

/** What a file of a role must not import: [role, imported path or package, why]. */
const ROLE_RULES: readonly (readonly [RegExp, RegExp, string])[] = [
  [/\.(controller|commands)\.ts$/, /\.(repository|entity|statement)\.js$|^typeorm$/, 'goes around the service'],
  [/\.service\.ts$/, /^(express|typeorm|pg|@nestjs\/typeorm|@nestjs\/swagger)$/, 'knows no transport and no SQL'],
  [/\.repository\.ts$/, /\.dto\.js$|\.errors\.js$|app-config\.js$/, 'answers questions and judges nothing'],
  [/\.dto\.ts$/, /\.(entity|repository|service)\.js$/, 'describes the wire and nothing else'],
];

const FROM_OTHER_FEATURES = /\.(module|service|decorator|errors)\.js$/;

/** The TypeScript files below a folder. */
export function readSources(root: string, folder: string): Sources {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return new Map(names.map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')]));
}

/** Every breach of the architecture, a line each. */
export function breaches(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => [
    ...importsOf(text).flatMap((imported) => importBreaches(file, imported)),
    ...textBreaches(file, text),
  ]);
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?['"]([^'"]+)['"]/g)].map((match) => match[1]!);
}

function importBreaches(file: string, imported: string): string[] {
  const found = ROLE_RULES.filter(([role, target]) => role.test(file) && target.test(imported));
  const byRole = found.map(([, , why]) => `${file} imports ${imported}: a file of its role ${why}`);
  const home = featureOf(file);
  if (!imported.startsWith('.') || home === undefined || home === 'server') return byRole;
  const target = normalize(join(dirname(file), imported));
  const away = target.startsWith('migrations') ? '../migrations' : featureOf(target);
  if (away === home || away === undefined) return byRole;
  if (!(MAY_IMPORT[home] ?? []).includes(away))
    return [...byRole, `${file} imports ${target}: ${home} must not know ${away}`];
  if (PLATFORM.includes(away) || away === '../migrations' || FROM_OTHER_FEATURES.test(target)) return byRole;
  return [
    ...byRole,
    `${file} imports ${target}: another feature shows its module, service, decorators and errors only`,
  ];
}

/** The folder of src that a file lies in; undefined for src itself. */
function featureOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

function textBreaches(file: string, text: string): string[] {
  const found: string[] = [];
  const say = (breach: boolean, what: string): void => {
    if (breach) found.push(`${file}: ${what}`);
  };
  say(text.split('\n').length > 200, 'is over 200 lines');
  say(!/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(file.split('/').at(-1)!), 'is not named in kebab-case');
  say(/\bimport type \{[^}]*Dto\b/.test(text), 'imports a DTO as a type: its validation would be off without a word');
  say(/\bexport default\b/.test(text), 'has a default export');
  say(/\bas unknown as\b/.test(text), 'casts through unknown');
  say(/\bprocess\.env\b/.test(text) && !file.startsWith('src/config/'), 'reads the environment outside of config');
  say(/\b(TODO|FIXME|XXX)\b/.test(text), 'leaves something to do');
  say(/^src\/.*\/(shared|common|utils|helpers|types)\//.test(file), 'lies in a folder named after nothing');
  return found;
}
