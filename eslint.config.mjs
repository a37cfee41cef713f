import simpleImportSort from 'eslint-plugin-simple-import-sort';
import unusedImports from 'eslint-plugin-unused-imports';
import tseslint from 'typescript-eslint';

const PLATFORM = [
  'admin',
  'calendar',
  'config',
  'database',
  'health',
  'http',
  'logging',
  'metrics',
];

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
  admin: ['config', 'database', 'http', 'logging', 'metrics'],
  'web-app': ['config', 'http'],
  ...Object.fromEntries(
    FEATURES.map((name, index) => [name, [...PLATFORM, ...FEATURES.slice(0, index)]]),
  ),
};
const FOLDERS = [...Object.keys(MAY_IMPORT), 'server', 'testing'];

/** What a file of a role leaves to others. */
const FRONT_DOOR = {
  regex: '\\.(repository|entity|statements)\\.js$|^typeorm$|^@nestjs/typeorm$',
  allowTypeImports: true,
  message: 'A controller or command calls its service instead.',
};
const ASKED = {
  regex: '\\.(dto|errors|config)\\.js$',
  message: 'It takes and returns plain values, and leaves decisions to the service.',
};
const ROLES = {
  controller: FRONT_DOOR,
  commands: FRONT_DOOR,
  service: {
    regex: '^(express|pg|@nestjs/swagger)$',
    message: 'A service leaves HTTP to the controller and SQL to the repository.',
  },
  repository: ASKED,
  statements: ASKED,
  dto: {
    regex: '\\.(entity|repository|service)\\.js$',
    message: 'A DTO describes only what is sent.',
  },
};

function importRules(folder, role) {
  const allowed = MAY_IMPORT[folder];
  const forbidden = FOLDERS.filter((other) => other !== folder && !allowed.includes(other));
  const foreign = FEATURES.filter((other) => allowed.includes(other)).join('|');
  const patterns = [
    {
      regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
      message: `src/${folder} may import from ${allowed.join(', ') || 'no other folder'} (eslint.config.mjs).`,
    },
    {
      regex: '^(\\.\\./)+(main|cli|create-app|app\\.module|api-description)\\.js$',
      message: 'Only src/server, src/testing and the files directly in src import these.',
    },
    {
      regex: '^\\.\\.?/(.*/)?(shared|common|utils|helpers|types)/',
      message: 'Name the folder after what is in it.',
    },
  ];
  if (foreign !== '')
    patterns.push({
      regex: `^(\\.\\./)+(${foreign})/(?!.*\\.(module|service|decorator|errors|events)\\.js$)`,
      allowTypeImports: true,
      message:
        'From another feature take a module, service, decorator, errors or events file, or a type.',
    });
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

const SYNTAX = [
  {
    selector:
      'ClassDeclaration[decorators.length>0] > ClassBody > MethodDefinition[kind="constructor"] > FunctionExpression[params.length>5]',
    message: 'At most five dependencies: split the class by what it does.',
  },
  { selector: 'ExportDefaultDeclaration', message: 'Exports are named.' },
  {
    selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
    message: 'No "as unknown as": narrow the value with a check.',
  },
];

const SOURCE_SYNTAX = [
  ...SYNTAX,
  {
    selector: 'MemberExpression[object.name="console"]',
    message: 'The log is written by the Logger of @nestjs/common, and a command returns its text.',
  },
  {
    selector: 'ImportDeclaration[importKind="type"] ImportSpecifier[imported.name=/Dto$/]',
    message: 'A DTO that is imported as a type loses its validation: write import { XDto }.',
  },
  {
    selector: 'ImportSpecifier[importKind="type"][imported.name=/Dto$/]',
    message: 'A DTO that is imported as a type loses its validation: write import { XDto }.',
  },
  {
    selector: 'MethodDefinition[decorators.length>0] > FunctionExpression[returnType=undefined]',
    message:
      'A route states what it returns, such as Promise<XDto>: the OpenAPI document says the same.',
  },
  {
    selector:
      'CallExpression[callee.name="setInterval"]:not(MemberExpression[property.name="unref"] > CallExpression)',
    message: 'An interval keeps the process from ending: call unref() on it.',
  },
  {
    selector:
      ':matches(Identifier, ObjectPattern)[decorators.0.expression.callee.name=/^(Body|Query|Param)$/][decorators.0.expression.arguments.length=0] > TSTypeAnnotation > :not(TSTypeReference)',
    message: 'What a client sends is declared by a class: write XDto.',
  },
  {
    selector:
      'Identifier[decorators.0.expression.callee.name="Res"][decorators.0.expression.arguments.length=0]',
    message: 'Nest would send nothing that the handler returns: write @Res({ passthrough: true }).',
  },
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message:
      'The day depends on where the restaurants are: take it from BusinessCalendar, the time from Clock.',
  },
  {
    selector: ':matches(TemplateElement[value.raw=/OFFSET (?!0)/], Literal[value=/OFFSET (?!0)/])',
    message: 'Pages follow the key of the last item, with AfterField: OFFSET reads what it skips.',
  },
  {
    selector:
      ':matches(CallExpression[callee.property.name=/^find/] Property[key.name="skip"], CallExpression[callee.property.name=/^(skip|offset)$/])',
    message: 'Pages follow the key of the last item, with AfterField: skip reads what it skips.',
  },
  {
    selector:
      'ClassDeclaration:not(:has(> Decorator[expression.callee.name=/^(QueuedRead|Public)$/])) > ClassBody > MethodDefinition:has(> Decorator[expression.callee.name="Get"]):not(:has(> Decorator[expression.callee.name=/^(QueuedRead|Public)$/]))',
    message:
      'A route that reads waits for its turn, so that uploads keep connections: @QueuedRead().',
  },
  ...[
    'MethodDefinition:has(> Decorator[expression.callee.name="Sse"]):not(:has(> Decorator[expression.callee.name="Probe"]))',
    'MethodDefinition:has(> Decorator[expression.callee.name="Sse"]) > Decorator[expression.callee.name="QueuedRead"]',
    'ClassDeclaration:has(> Decorator[expression.callee.name="QueuedRead"]) > ClassBody > MethodDefinition:has(> Decorator[expression.callee.name="Sse"])',
  ].map((selector) => ({
    selector,
    message:
      'An open stream would hold a request slot or a turn of its user: @Probe() without @QueuedRead().',
  })),
  {
    selector: 'CallExpression[callee.name="PartialType"][arguments.length=1]',
    message: 'null would pass the rules: write PartialType(XDto, { skipNullProperties: false }).',
  },
  {
    selector:
      ':matches(CallExpression[callee.property.name="reduce"] BinaryExpression[operator="+"], AssignmentExpression[operator="+="]) > :matches(MemberExpression[property.name=/amount|total|turnover/i], Identifier[name=/amount|turnover/i])',
    message: 'JavaScript adds decimals inexactly: add them up in SQL.',
  },
  {
    selector: 'ImportSpecifier[imported.name="RawBodyRequest"]',
    message: 'rawBody would be empty: take @UnparsedBody() and readBytes() of src/http/body.',
  },
  {
    selector:
      'Property[key.name="labelNames"] Literal:not([value=/^(code|kind|method|of|outcome|reason|route|status|version)$/])',
    message:
      'A label has few values: take a name of the list in eslint.config.mjs, or add one there; count restaurants and users in SQL.',
  },
  {
    selector: 'Property[key.name="labelNames"] > :not(ArrayExpression).value',
    message: 'Write the names of the labels here, so that their list can be checked.',
  },
  {
    selector: 'CallExpression[callee.property.name="transaction"] UnaryExpression[operator="void"]',
    message: 'What is not awaited may run after the commit, or not at all: await it.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(where|andWhere|orWhere|having|orderBy)$/] > TemplateLiteral:has(> .expressions:not(CallExpression[callee.property.name="getQuery"]))',
    message: 'A value that is put into a condition may be SQL itself: write :name and pass it.',
  },
];

const ENVIRONMENT = {
  selector:
    ':matches(MemberExpression[object.name="process"][property.name="env"], VariableDeclarator[init.name="process"], ImportDeclaration[source.value=/^(node:)?process$/])',
  message: 'Only src/config reads the environment: declare a setting there.',
};

/** What no file of a feature does. */
const FEATURE_SYNTAX = [
  ...SOURCE_SYNTAX,
  ENVIRONMENT,
  {
    // fflate's functions work on bytes, not on files.
    selector:
      'CallExpression:matches([callee.name=/^(?!zip|unzip).*Sync$/], [callee.property.name=/Sync$/])',
    message: 'It stops every request meanwhile: await the call of node:fs/promises.',
  },
  {
    selector: 'MemberExpression[object.name="process"][property.name="stdout"]',
    message: 'The log is written by the Logger of @nestjs/common, and a command returns its text.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(get(FullYear|Month|Date|Day|Hours|Minutes)|toLocale(Date|Time)String|toDateString)$/]',
    message: 'It goes by the time zone of the machine: take BusinessCalendar, or getUTC...',
  },
];

const DATE_OF_TEXT = [
  'NewExpression[callee.name="Date"] > :matches(Identifier, MemberExpression, TemplateLiteral, Literal).arguments',
  'CallExpression[callee.object.name="Date"][callee.property.name="parse"]',
].map((selector) => ({
  selector,
  message: 'A day is text and has no time zone: use addDays and the others of src/calendar.',
}));

const SQL = '/\\bSELECT\\b[^;]* FROM\\b|\\bINSERT INTO\\b|\\bDELETE FROM\\b|\\bUPDATE \\w+ SET\\b/';
const SQL_BESIDE_DECISIONS = ['TemplateElement[value.raw=', 'Literal[value='].map((node) => ({
  selector: `${node}${SQL}]`,
  message: 'SQL belongs into the repository.',
}));

const SQL_MADE_OF_VALUES = [
  `MethodDefinition TemplateLiteral:has(> .expressions:not(CallExpression[callee.name="escapeLiteral"])) > TemplateElement[value.raw=${SQL}]`,
  'BinaryExpression[operator="+"] > Literal[value=/\\b(FROM|WHERE|LIMIT|VALUES|ORDER BY)\\b/]',
].map((selector) => ({
  selector,
  message:
    'A value that is put into SQL may be SQL itself: write $1 and pass it as a parameter (escapeLiteral of pg in a COPY).',
}));

const TIME_OF_DAY = {
  selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
  message: 'Tests set the clock: take the time from Clock.',
};

const DTO_SYNTAX = [
  {
    selector: 'PropertyDefinition[static=false][decorators.length=0]',
    message:
      'A field without a decorator never reaches the handler: use IntegerField, @Allow() ...',
  },
  {
    selector:
      'PropertyDefinition:has(> Decorator[expression.callee.name=/^Is(Int|Number)$/]):not(:has(> Decorator[expression.callee.name="Max"]))',
    message: 'This number has no bounds: use IntegerField({ min, max }), or @Min() and @Max().',
  },
];

const MIGRATION_SYNTAX = [
  ...SYNTAX,
  {
    selector:
      'MethodDefinition[key.name="down"] > FunctionExpression > BlockStatement[body.length=0]',
    message: 'A migration can be undone: drop here what up() makes.',
  },
  {
    selector:
      'TemplateElement[value.raw=/ (double precision|float[48]?|real|money)( NOT| NULL|,|$)/i]',
    message: 'Money is exact as numeric, and these round.',
  },
];

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
    plugins: { 'unused-imports': unusedImports, 'simple-import-sort': simpleImportSort },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'unused-imports/no-unused-imports': 'error',
      // What is imported for its effect, Node's, packages, our own: without lines between.
      'simple-import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^', '^\\.']] }],
      'no-restricted-syntax': ['error', ...SYNTAX],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off', // DTO classes describe plain objects
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
      // Indexing is checked by the compiler (noUncheckedIndexedAccess); where the index is certain, "!" says so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...SOURCE_SYNTAX, ENVIRONMENT],
    },
  },
  {
    files: [...FEATURES.map((name) => `src/${name}/**/*.ts`), 'examples/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...FEATURE_SYNTAX] },
  },
  {
    files: ['src/config/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...SOURCE_SYNTAX] },
  },
  {
    files: ['{src,examples}/**/*.{service,controller,commands,listener,guard,gauge}.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...FEATURE_SYNTAX,
        TIME_OF_DAY,
        ...DATE_OF_TEXT,
        ...SQL_BESIDE_DECISIONS,
      ],
    },
  },
  {
    files: ['{src,examples}/**/*.dto.ts'],
    rules: { 'no-restricted-syntax': ['error', ...FEATURE_SYNTAX, ...DTO_SYNTAX] },
  },
  {
    files: ['{src,examples}/**/*.repository.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...FEATURE_SYNTAX, ...DATE_OF_TEXT, ...SQL_MADE_OF_VALUES],
    },
  },
  ...importBlocks,
  {
    files: ['migrations/**/*.ts', 'examples/**/[0-9]*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-syntax': ['error', ...MIGRATION_SYNTAX],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      // Tests look into answers freely.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  ...(process.env.LINT_TYPES === 'off' ? [WITHOUT_TYPES] : []),
);
