import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const PLATFORM = 'admin calendar config database health http logging metrics'.split(' ');

/** Folders of features; each may import from those above it, and from the platform. */
const FEATURES = [
  'audit',
  'users',
  'auth',
  'restaurants',
  'sales',
  // a new feature goes here
];

/** Which folders of src a folder may import from, besides itself. */
const MAY_IMPORT = {
  config: [],
  calendar: ['config'],
  metrics: [],
  logging: ['config', 'metrics'],
  http: ['config', 'logging', 'metrics'],
  database: ['config', 'http', 'logging', 'metrics'],
  'embedded-postgres': ['config', 'logging'],
  health: ['calendar', 'config', 'database', 'http', 'logging', 'metrics'],
  admin: ['audit', 'config', 'database', 'http', 'logging', 'metrics'],
  'web-app': ['config', 'http'],
  ...Object.fromEntries(
    FEATURES.map((name, index) => [name, [...PLATFORM, ...FEATURES.slice(0, index)]]),
  ),
};
const FOLDERS = [...Object.keys(MAY_IMPORT), 'server', 'testing'];

const banImport = (regex, message) => ({ regex, message, allowTypeImports: true });

/** What a file of a role leaves to others. */
const FRONT_DOOR = banImport(
  '\\.(repository|entity|statements)\\.js$|^typeorm$|^@nestjs/typeorm$',
  'A controller or command calls its service instead.',
);
const ASKED = banImport(
  '\\.(dto|errors|config)\\.js$',
  'It takes and returns plain values, and leaves decisions to the service.',
);
const ROLES = {
  controller: FRONT_DOOR,
  commands: FRONT_DOOR,
  service: banImport(
    '^(express|pg|@nestjs/swagger)$',
    'A service leaves HTTP to the controller and SQL to the repository.',
  ),
  repository: ASKED,
  statements: ASKED,
  dto: banImport('\\.(entity|repository)\\.js$', 'A DTO describes only what is sent.'),
};

function importRules(folder, role) {
  const allowed = MAY_IMPORT[folder];
  const forbidden = FOLDERS.filter((other) => other !== folder && !allowed.includes(other));
  const foreign = FEATURES.filter((other) => allowed.includes(other)).join('|') || 'none';
  const patterns = [
    {
      regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
      message: `src/${folder} may import from ${allowed.join(', ') || 'no other folder'} (eslint.config.mjs).`,
    },
    banImport(
      `^(\\.\\./)+(${foreign})/(?!.*\\.(module|service|decorator|errors|events)\\.js$)`,
      'From another feature take a module, service, decorator, errors or events file, or a type.',
    ),
  ];
  if (role) patterns.push(role);
  return { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] };
}

const importBlocks = Object.keys(MAY_IMPORT).flatMap((folder) => [
  { files: [`src/${folder}/**/*.ts`], rules: importRules(folder) },
  ...Object.entries(ROLES).map(([suffix, role]) => ({
    files: [`src/${folder}/**/*.${suffix}.ts`],
    rules: importRules(folder, role),
  })),
]);

/** A rule of the syntax: what is found by a selector of ESQuery, and what to write instead. */
const ban = (selector, message) => ({ selector, message });

const SQL = '/\\bSELECT\\b[^;]* FROM\\b|\\bINSERT INTO\\b|\\bDELETE FROM\\b|\\bUPDATE \\w+ SET\\b/';

/** What is silently wrong: it compiles, and a reviewer would not see it. */
const SOURCE_SYNTAX = [
  ban(
    ':matches(ImportDeclaration[importKind="type"] ImportSpecifier, ImportSpecifier[importKind="type"])[imported.name=/Dto$/]',
    'A DTO that is imported as a type loses its validation: write import { XDto }.',
  ),
  ban(
    'MethodDefinition[decorators.length>0] > FunctionExpression[returnType=undefined]',
    'A route states what it returns, such as Promise<XDto>: the OpenAPI document says the same.',
  ),
  ban(
    ':matches(Identifier, ObjectPattern)[decorators.0.expression.callee.name=/^(Body|Query|Param)$/][decorators.0.expression.arguments.length=0] > TSTypeAnnotation > :not(TSTypeReference)',
    'What a client sends is declared by a class: write XDto.',
  ),
  ban(
    'Decorator > CallExpression[callee.name=/^(Body|Query)$/][arguments.length=1] > Literal',
    'A part is not validated: write an XDto for the whole, or a pipe such as ParseIntPipe.',
  ),
  ban(
    'Identifier[decorators.0.expression.callee.name="Res"][decorators.0.expression.arguments.length=0]',
    'Nest would send nothing that the handler returns: write @Res({ passthrough: true }).',
  ),
  ban(
    'NewExpression[callee.name="Date"][arguments.length=0]',
    'The day depends on where the restaurants are: take it from BusinessCalendar, the time from Clock.',
  ),
  ban(
    'CallExpression[callee.name="PartialType"][arguments.length=1]',
    'null would pass the rules: write PartialType(XDto, { skipNullProperties: false }).',
  ),
  ban(
    ':matches(CallExpression[callee.property.name="reduce"] BinaryExpression[operator="+"], AssignmentExpression[operator="+="]) > :matches(MemberExpression[property.name=/amount|total|turnover/i], Identifier[name=/amount|turnover/i])',
    'JavaScript adds decimals inexactly: add them up in SQL.',
  ),
  ban(
    'CallExpression[callee.object.property.name="logger"] Identifier[name=/password|secret/i]',
    'A secret never reaches the log.',
  ),
];

const ENVIRONMENT = ban(
  ':matches(MemberExpression[object.name="process"][property.name="env"], ImportDeclaration[source.value=/^(node:)?process$/])',
  'Only src/config reads the environment: declare a setting there.',
);

/** What no file of a feature does. */
const FEATURE_SYNTAX = [
  ...SOURCE_SYNTAX,
  ENVIRONMENT,
  ban(
    'CallExpression[callee.property.name=/^(get(FullYear|Month|Date|Day|Hours|Minutes)|toLocale(Date|Time)String|toDateString)$/]',
    'It goes by the time zone of the machine: take BusinessCalendar, or getUTC...',
  ),
];

const DECISION_SYNTAX = [
  ...FEATURE_SYNTAX,
  ban(
    'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    'Tests set the clock: take the time from Clock.',
  ),
  ban(
    `:matches(TemplateElement[value.raw=${SQL}], Literal[value=${SQL}])`,
    'SQL belongs into the repository.',
  ),
];

const DTO_SYNTAX = [
  ...FEATURE_SYNTAX,
  ban(
    'PropertyDefinition[static=false][decorators.length=0]',
    'A field without a decorator never reaches the handler: use IntegerField, @Allow() ...',
  ),
  ban(
    'PropertyDefinition:has(> Decorator[expression.callee.name=/^Is(Int|Number)$/]):not(:has(> Decorator[expression.callee.name="Max"]))',
    'This number has no bounds: use IntegerField({ min, max }), or @Min() and @Max().',
  ),
];

const REPOSITORY_SYNTAX = [
  ...FEATURE_SYNTAX,
  ban(
    `MethodDefinition TemplateLiteral:has(> .expressions:not(CallExpression[callee.name="escapeLiteral"])) > TemplateElement[value.raw=${SQL}]`,
    'A value that is put into SQL may be SQL itself: write $1 and pass it as a parameter (escapeLiteral of pg in a COPY).',
  ),
];

const MIGRATION_SYNTAX = [
  ban(
    'TemplateElement[value.raw=/ (double precision|float[48]?|real|money)( NOT| NULL|,|$)/i]',
    'Money is exact as numeric, and these round.',
  ),
];

const syntax = (files, rules) => ({
  files,
  rules: { 'no-restricted-syntax': ['error', ...rules] },
});

const off = (names) =>
  Object.fromEntries(names.split(' ').map((name) => [`@typescript-eslint/no-${name}`, 'off']));

/** For `npm run check:rules`: the rules that need types take most of the time. */
const WITHOUT_TYPES = {
  files: ['**/*.{ts,tsx}'],
  rules: tseslint.configs.disableTypeChecked.rules,
  languageOptions: { parserOptions: { projectService: false } },
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'simple-import-sort': simpleImportSort },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // What is imported for its effect, Node's, packages, our own: without lines between.
      'simple-import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^', '^\\.']] }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      // DTO classes describe plain objects. Indexing is checked by the compiler
      // (noUncheckedIndexedAccess); where the index is certain, "!" says so.
      ...off('unsafe-class-instance-assignment non-null-assertion'),
      // A module class is often empty, and a template may hold a number.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowStaticOnly: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['src/**/*.ts'], rules: { 'no-console': 'error' } },
  syntax(['src/**/*.ts'], [...SOURCE_SYNTAX, ENVIRONMENT]),
  syntax([...FEATURES.map((name) => `src/${name}/**/*.ts`), 'examples/**/*.ts'], FEATURE_SYNTAX),
  syntax(['src/config/**/*.ts'], SOURCE_SYNTAX),
  syntax(
    ['{src,examples}/**/*.{service,controller,commands,listener,guard,gauge}.ts'],
    DECISION_SYNTAX,
  ),
  syntax(['{src,examples}/**/*.dto.ts'], DTO_SYNTAX),
  syntax(['{src,examples}/**/*.repository.ts'], REPOSITORY_SYNTAX),
  ...importBlocks,
  { files: ['{migrations,test}/**/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  // Most lines of a component are markup, and parts with properties of their own hide it.
  { files: ['web/**/*.tsx'], rules: { 'max-lines-per-function': ['error', { max: 80 }] } },
  syntax(['migrations/**/*.ts', 'examples/**/[0-9]*.ts'], MIGRATION_SYNTAX),
  {
    files: ['test/**/*.ts'],
    // Tests look into answers freely.
    rules: off(
      'explicit-any unsafe-assignment unsafe-argument unsafe-call unsafe-member-access unsafe-return',
    ),
  },
  ...(process.env.LINT_TYPES === 'off' ? [WITHOUT_TYPES] : []),
);
