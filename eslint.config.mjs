import unusedImports from 'eslint-plugin-unused-imports';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/', 'web/src/api/schema.d.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'unused-imports': unusedImports },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'unused-imports/no-unused-imports': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ClassDeclaration[decorators.length>0] > ClassBody > MethodDefinition[kind="constructor"] > FunctionExpression[params.length>4]',
          message: 'At most four dependencies: split the class by what it does.',
        },
        { selector: 'ExportDefaultDeclaration', message: 'Exports are named.' },
        { selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword', message: 'No "as unknown as".' },
      ],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off', // DTO classes describe plain objects
      // A module class is often empty, and a template may hold a number.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      // Indexing is checked by the compiler (noUncheckedIndexedAccess); where the index is certain, "!" says so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': ['error', { max: 200 }],
      'max-lines-per-function': ['error', { max: 30, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['migrations/**/*.ts'], rules: { 'max-lines-per-function': 'off' } },
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
);
