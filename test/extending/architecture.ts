import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** Source texts by path from the project's root. */
export type Sources = ReadonlyMap<string, string>;

/** The TypeScript files below a folder, those with markup included. */
export function readSources(root: string, folder: string): Sources {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Classes that Nest does not find, because no file imports them. */
export function unlistedClasses(sources: Sources): string[] {
  const imported = new Set([...sources].flatMap(([file, text]) => importedBy(file, text)));
  return [...sources.keys()].flatMap((file) => {
    const role = /\.(module|controller|commands|service|repository)\.ts$/.exec(file)?.[1];
    if (role === undefined || imported.has(file)) return [];
    const place = role === 'module' ? 'imports of src/app.module.ts' : 'module of its feature';
    return [`${file}: nothing imports it, so Nest does not know it; add its class to the ${place}`];
  });
}

/** Files that import each other in a circle, and folders beside each other. */
export function cycles(sources: Sources): string[] {
  const edges = [...sources].flatMap(([file, text]) =>
    importedBy(file, text).map((imported): [string, string] => [file, imported]),
  );
  const betweenFolders = edges.flatMap(([from, to]): [string, string][] => {
    const [own, other] = [from.split('/'), to.split('/')];
    const shared = own.findIndex((part, index) => part !== other[index]);
    const [here, there] = [own.slice(0, shared + 1), other.slice(0, shared + 1)];
    const isBetweenFolders = here.length < own.length && there.length < other.length;
    return isBetweenFolders ? [[here.join('/'), there.join('/')]] : [];
  });
  const remedy = 'a cycle; move what both need into a file that imports neither';
  return [inCycles(edges), inCycles(betweenFolders)]
    .filter((members) => members.length > 0)
    .map((members) => `${members.join(', ')}: ${remedy}`);
}

/** The files that are loaded with one, by imports of any kind. */
export function loadedWith(sources: Sources, start: string): ReadonlySet<string> {
  const found = new Set([start]);
  for (const file of found)
    for (const imported of importedBy(file, sources.get(file) ?? '')) found.add(imported);
  return found;
}

/** Files whose name is not in kebab-case or differs from the class that they export. */
export function misnamedFiles(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(basename(file)))
      return [`${file}: its name is not in kebab-case; rename it`];
    if (!KNOWN_ENDING.test(basename(file)))
      return [`${file}: no rules know its ending; take one of those in architecture.ts`];
    const pattern = classPattern(basename(file));
    if (pattern === undefined || !text.includes('export class')) return [];
    return new RegExp(`\\bexport class ${pattern}\\b`, 'i').test(text)
      ? []
      : [`${file}: it exports no class of its name; rename the file or the class`];
  });
}

/** The endings of which the lint rules and this file know what they may do. */
const KNOWN_ENDING =
  /^[a-z0-9-]+(\.(adapter|commands|config|controller|decorators?|dto|entity|errors|events|filter|gauge|guard|listener|module|pipe|repository|service|statements|strategy))?\.ts$/;

const OF_ONE_CLASS = /^(.+\.(?:controller|service|repository|module|commands|config|guard))\.ts$/;

/** Of the classes of DTOs or entities, one has the last word of the file's name, less its "s". */
function classPattern(file: string): string | undefined {
  const [, name] = OF_ONE_CLASS.exec(file) ?? [];
  if (name !== undefined) return name.replace(/[-.]/g, '');
  const [, word] = /([a-z0-9]+?)(?:ies|s)?\.(?:dto|entity)\.ts$/.exec(file) ?? [];
  return word === undefined ? undefined : `\\w*${word}\\w*`;
}

/** Folders that serve every feature, and so name nothing that belongs to one. */
const PLATFORM = /^src\/(config|metrics|logging|http|database|embedded-postgres|health|admin)\//;
const BUSINESS_WORD = /^(restaurant|upload|token)s?$/i;

/** Names of a feature's business in the platform's identifiers; settings and the audit log may name it. */
export function businessWords(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!PLATFORM.test(file) || /^src\/config\/|\/audit\.commands/.test(file)) return [];
    const words = identifiersOf(text).filter((word) =>
      word.split(/(?=[A-Z])|[^A-Za-z]+/).some((part) => BUSINESS_WORD.test(part)),
    );
    return [...new Set(words)].map(
      (word) => `${file}: ${word}; the platform knows no feature, so let the feature say it`,
    );
  });
}

/** Prepared statements with the name of another: PostgreSQL tells them apart by name alone. */
export function repeatedStatements(sources: Sources): string[] {
  const owners = new Map<string, string>();
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/\bname: ['`]([^'`$]+)['`],\s*text\b/g)].flatMap(([, name]) => {
      const owner = owners.get(name!);
      owners.set(name!, file);
      return owner === undefined
        ? []
        : [`${file}: the statement ${name} is also in ${owner}; give it another name`];
    }),
  );
}

/** The files of the project that one imports. */
function importedBy(file: string, text: string): string[] {
  const names = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const ours = names.filter((name) => name.startsWith('.'));
  return ours.map((name) => normalize(join(dirname(file), name)).replace(/\.js$/, '.ts'));
}

function identifiersOf(text: string): string[] {
  const visit = (node: ts.Node): string[] => {
    const inner: string[] = [];
    ts.forEachChild(node, (child) => void inner.push(...visit(child)));
    return ts.isIdentifier(node) ? [node.text, ...inner] : inner;
  };
  return visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true));
}

/** The nodes that lie on cycles or between them: those that stay when all ends are cut off. */
function inCycles(edges: readonly (readonly [string, string])[]): string[] {
  const [froms, tos] = [0, 1].map((end) => new Set(edges.map((edge) => edge[end])));
  const left = edges.filter(([from, to]) => tos!.has(from) && froms!.has(to));
  return left.length < edges.length ? inCycles(left) : [...new Set(left.flat())].sort();
}
