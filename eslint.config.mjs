import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Which folder may import what. The same table is walked by a test, and each folder has a tsconfig that agrees. */
const layers = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'));

/** Globals of Node, VS Code's extension host and browsers, none of which the engine may touch. */
const platformGlobals = [
  'process',
  'Buffer',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'crypto',
  'performance',
  'window',
  'document',
  'console',
  'TextEncoder',
  'TextDecoder',
  'AbortController',
  'structuredClone',
];

const layerRules = Object.entries(layers).map(([folder, { layers: allowed, packages }]) => {
  const forbidden = Object.keys(layers).filter((other) => other !== folder && !allowed.includes(other));
  return {
    files: [`${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?!\\.)(?!(?:${packages.map(toPattern).join('|') || '$^'})(?:/|$))`,
              message: `${folder} may import these packages only: ${packages.join(', ') || 'none'} (layers.json).`,
            },
            ...forbidden.map((other) => ({
              regex: `^(?:\\.\\./)+(?:.*/)?${other.replace('src/', '')}/`,
              message: `${folder} may not import ${other} (layers.json).`,
            })),
          ],
        },
      ],
    },
  };
});

function toPattern(name) {
  return name === 'node:*' ? 'node:[\\w/]+' : name.replace(/[/.]/g, '\\$&');
}

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Indexed access is checked (noUncheckedIndexedAccess); a bound that a loop guarantees is said with `!`.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'object-shorthand': 'error',
    },
  },
  {
    files: ['src/compaction/**/*.ts', 'src/library/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', ...platformGlobals] },
  },
  {
    // Texts that these expressions read come from models, tools, files and other people's sessions.
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { ignoreSticky: true }],
    },
  },
  ...layerRules,
  {
    files: ['scripts/**', 'test/**', '*.mjs'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['*.mjs', '*.config.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    // Their packages are installed by a test, which checks their types.
    files: ['examples/**'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { 'no-console': 'off' },
  },
  { files: ['*.mjs'], languageOptions: { globals: { URL: 'readonly' } } },
);
