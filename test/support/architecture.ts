import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Source texts by path from the project's root. */
export type Sources = ReadonlyMap<string, string>;

const PLATFORM = ['config', 'metrics', 'logging', 'http', 'database', 'health', 'admin'];

/** Which folders a folder of src may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  config: [],
  metrics: [],
  logging: ['config', 'metrics'],
  http: ['config', 'logging', 'metrics'],
  database: ['config', 'logging', 'metrics', '../migrations'],
  'embedded-postgres': ['config', 'logging'],
  health: ['config', 'database', 'http', 'logging', 'metrics'],
  admin: ['config', 'database', 'http', 'logging', 'metrics', '../migrations'],
  'web-app': ['http'],
  audit: PLATFORM,
  users: [...PLATFORM, 'audit'],
  auth: [...PLATFORM, 'audit', 'users'],
  restaurants: [...PLATFORM, 'audit', 'users', 'auth'],
  sales: [...PLATFORM, 'audit', 'users', 'auth', 'restaurants'],
  // a new feature goes here
};

/** Files that may import anything: those directly in src, and in these folders. Only they may import each other. */
const TOP = ['server', 'testing'];

/** What a file of a role must not import: [role, imported path or package, why]. */
const ROLE_RULES: readonly (readonly [RegExp, RegExp, string])[] = [
  [/\.(controller|commands)\.ts$/, /\.(repository|entity|statement)\.js$|^typeorm$/, 'calls its service instead'],
  [
    /\.service\.ts$/,
    /^(express|typeorm|pg|@nestjs\/typeorm|@nestjs\/swagger)$/,
    'leaves HTTP to the controller and SQL to the repository',
  ],
  [
    /\.repository\.ts$/,
    /\.dto\.js$|\.errors\.js$|config\.js$/,
    'takes and returns plain values, and leaves decisions to the service',
  ],
  [/\.dto\.ts$/, /\.(entity|repository|service)\.js$/, 'describes only what is sent'],
];

const FROM_OTHER_FEATURES = /\.(module|service|decorator|errors|events)\.js$/;

/** The TypeScript files below a folder. */
export function readSources(root: string, folder: string): Sources {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Every import that the architecture forbids, a line each with its remedy. */
export function importBreaches(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(text).flatMap((imported) => {
      const rule = ROLE_RULES.find(([role, target]) => role.test(file) && target.test(imported));
      const byRole = rule ? [`${file} imports ${imported}: a file of its role ${rule[2]}`] : [];
      return [...byRole, ...folderBreach(file, imported)];
    }),
  );
}

/** Classes that Nest does not find, because no module lists them. */
export function unlisted(sources: Sources): string[] {
  const imported = new Set([...sources].flatMap(([file, text]) => importsOf(text).map((each) => resolved(file, each))));
  return [...sources.keys()].flatMap((file) => {
    const role = /\.(module|controller|commands|service|repository)\.ts$/.exec(file)?.[1];
    if (role === undefined || imported.has(file)) return [];
    const place = role === 'module' ? 'imports of src/app.module.ts' : 'module of its feature';
    return [`${file}: nothing imports it, so Nest does not know it; add its class to the ${place}`];
  });
}

/** Cycles of files, and of folders beside each other, a line each. */
export function cycles(sources: Sources): string[] {
  const edges = [...sources].flatMap(([file, text]) =>
    importsOf(text).flatMap((imported) =>
      imported.startsWith('.') ? [[file, resolved(file, imported)] as const] : [],
    ),
  );
  const betweenFolders = edges.flatMap(([from, to]) => {
    const [own, other] = [from.split('/'), to.split('/')];
    const shared = own.findIndex((part, index) => part !== other[index]);
    const [here, there] = [own.slice(0, shared + 1), other.slice(0, shared + 1)];
    return here.length === own.length || there.length === other.length
      ? []
      : [[here.join('/'), there.join('/')] as const];
  });
  const remedy = 'move what both need into a file that imports neither';
  return [...cyclesOf(edges), ...cyclesOf(betweenFolders)].map((cycle) => `${cycle.join(' -> ')}: a cycle; ${remedy}`);
}

/** The files that are loaded with one, by imports of any kind. */
export function loadedWith(sources: Sources, start: string): ReadonlySet<string> {
  const found = new Set([start]);
  for (const file of found) {
    const imports = importsOf(sources.get(file) ?? '').filter((imported) => imported.startsWith('.'));
    for (const imported of imports) found.add(resolved(file, imported));
  }
  return found;
}

function importsOf(text: string): string[] {
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/g);
  return [...found].map((match) => (match[1] ?? match[2])!);
}

function folderBreach(file: string, imported: string): string[] {
  const home = folderOf(file);
  if (!imported.startsWith('.') || home === undefined || TOP.includes(home)) return [];
  const target = resolved(file, imported);
  const away = target.startsWith('migrations') ? '../migrations' : folderOf(target);
  if (away === home) return [];
  if (away === undefined)
    return [`${file} imports ${target}: only src/${TOP.join(', src/')} import files of src itself`];
  const allowed = MAY_IMPORT[home];
  if (!allowed)
    return [`${file}: the folder ${home} has no line in MAY_IMPORT of test/support/architecture.ts; add it`];
  if (!allowed.includes(away))
    return [`${file} imports ${target}: ${home} must not know ${away}; it may know ${allowed.join(', ') || 'nothing'}`];
  if (PLATFORM.includes(away) || away === '../migrations' || FROM_OTHER_FEATURES.test(imported)) return [];
  return [`${file} imports ${target}: take it from a module, service, decorator, errors or events file of ${away}`];
}

function resolved(file: string, imported: string): string {
  return normalize(join(dirname(file), imported)).replace(/\.js$/, '.ts');
}

/** The folder of src that a file lies in; undefined for src itself. */
function folderOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

/** One cycle through every node that lies on one. */
function cyclesOf(edges: readonly (readonly [string, string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const found = new Map<string, string[]>();
  for (const start of [...next.keys()].sort()) {
    const path = pathBetween(next, start, start);
    const members = [...new Set(path)].sort().join();
    if (path && !found.has(members)) found.set(members, path);
  }
  return [...found.values()];
}

/** A shortest path of at least one edge. */
function pathBetween(next: ReadonlyMap<string, Set<string>>, from: string, to: string): string[] | undefined {
  const seen = new Set<string>();
  const paths: string[][] = [[from]];
  for (const path of paths) {
    for (const node of next.get(path.at(-1)!) ?? []) {
      if (node === to) return [...path, node];
      if (!seen.has(node)) paths.push([...path, node]);
      seen.add(node);
    }
  }
  return undefined;
}
