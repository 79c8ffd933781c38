import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
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

/** The layers that a folder may import, directly or through others. */
function reachOf(folder, reach = new Set()) {
  if (!reach.has(folder)) {
    reach.add(folder);
    for (const layer of layers[folder].layers) reachOf(layer, reach);
  }
  return reach;
}

/**
 * A hash of everything that files of these folders take types from. ESLint's cache knows that a file is unchanged, but
 * a rule that reads types may find a fault in it when another file changes. The hash is part of a file's configuration,
 * and therefore of its key in the cache: a change lints every file that may depend on its types.
 */
function hashOf(folders) {
  const hash = createHash('sha256');
  const sources = globSync(folders.map((folder) => `${folder}/**/{*.ts,tsconfig.json}`));
  for (const file of ['package-lock.json', 'tsconfig.base.json', ...new Set(sources)].sort()) {
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Language options of files that are linted with types. */
const typed = { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } };

const layerRules = Object.entries(layers).map(([folder, { layers: allowed, packages }]) => {
  const forbidden = Object.keys(layers).filter((other) => other !== folder && !allowed.includes(other));
  return {
    files: [`${folder}/**/*.ts`],
    settings: { typesHash: hashOf([...reachOf(folder)]) },
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
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  {
    rules: {
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Indexed access is checked (noUncheckedIndexedAccess); a bound that a loop guarantees is said with `!`.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'object-shorthand': 'error',
    },
  },
  {
    // Rules that read types take most of the time, so only the product is read with all of them.
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    extends: [tseslint.configs.strictTypeCheckedOnly],
    languageOptions: typed,
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Slow, and without a finding: there are no enums, and an object of a class's shape may stand for its instance.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['test/**/*.ts', 'scripts/**/*.ts'],
    languageOptions: typed,
    settings: { typesHash: hashOf([...Object.keys(layers), 'scripts', 'test']) },
    // An assertion that is not awaited may fail after its test has passed.
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
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
    files: ['scripts/**', 'test/**', 'examples/**', '*.mjs'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['*.mjs', '**/*.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  { files: ['*.mjs'], languageOptions: { globals: { URL: 'readonly' } } },
);
