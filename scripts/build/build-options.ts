import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { lazyGroups } from './lazy-groups.ts';
import { leftOut } from './left-out.ts';
import { mergesBeside } from './rank-merges.ts';
import { smallTemplates } from './small-templates.ts';

interface Choice {
  readonly isProduction: boolean;
}

function shared({ isProduction }: Choice): BuildOptions {
  return {
    bundle: true,
    // In UTF-8, a Chinese character takes three bytes. An escape sequence would take six.
    charset: 'utf8',
    minify: isProduction,
    sourcemap: isProduction ? false : 'linked',
    legalComments: isProduction ? 'eof' : 'none',
    logLevel: 'warning',
  };
}

const forNode = {
  outdir: 'dist',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  // Chunks are next to the entries, because programs and files of the package are looked up in the folder of the
  // code.
  chunkNames: '[name]-[hash]',
} as const;

const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * Groups of modules that are loaded together when the first of them is needed. Modules that import the editor have
 * their own group, because the command line and the workers have no editor.
 */
const groups = [
  ['src/extension/', 'extension-later'],
  ['src/language/chinese', 'chinese'],
  ['src/agent/openai/', 'model'],
  ['openai', 'model'],
  ['@modelcontextprotocol/sdk/client/', 'mcp'],
  ['src/cli/mcp-command', 'mcp'],
  ['src/cli/otlp-command', 'command-line'],
  ['src/cli/proxy-command', 'command-line'],
  ['src/cli/cli', 'command-line'],
  ['src/cli/view-diff', 'command-line'],
  ['proper-lockfile', 'later'],
  ['src/compaction/tokens/', 'tokens'],
  ['js-tiktoken/', 'tokens'],
  ...['agent', 'bridge', 'compaction', 'insights', 'language', 'presenters', 'transcripts', 'wire'].map(
    (layer) => [`src/${layer}/`, 'later'] as const,
  ),
] as const;

/** Group → the group that needs it. */
const loadedWith = { 'extension-later': 'later', 'command-line': 'later', model: 'later', mcp: 'later' };

/** Modules that two or three groups share. Each is loaded with one of the groups and needs no separate file. */
const besides = {
  later: [
    'src/agent/files/surroundings.ts',
    'src/bridge/server/context-tools.ts',
    'src/bridge/server/tool-names.ts',
    'src/cli/answering-model.ts',
    'src/cli/measuring.ts',
    'src/compaction/budget/model-table.ts',
    'src/insights/handoff/handoff.ts',
    'src/transcripts/found-agents.ts',
  ],
};

/**
 * The code that activation loads, in one CommonJS file, because `require` does not wait. An ES module, and each further
 * file, would wait for the extensions that are activated at the same time.
 */
export function activationBundle(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    ...forNode,
    format: 'cjs',
    splitting: false,
    outExtension: { '.js': '.cjs' },
    entryPoints: { extension: 'src/extension/extension.ts' },
    plugins: [laterApart, lazyGroups({ groups, loadedWith, besides })],
    external: ['vscode'],
  };
}

/**
 * Code that runs in Node, except the activation, hooks and custom strategies. Code that is imported dynamically is
 * split into files that are loaded on first use, such as the token counter and the openai client.
 */
export function nodeBundles(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    entryPoints: {
      'extension-later': laterGroup,
      'engine-worker': 'src/presenters/engine/engine-worker.ts',
      cli: 'src/cli/main.ts',
    },
    ...forNode,
    plugins: [hooksApart, sqliteBeside, leftOut, mergesBeside, lazyGroups({ groups, loadedWith, besides })],
    external: ['vscode'],
    // `graceful-fs` changes Node's `fs` for every extension in the process. Our locks do not need that.
    alias: {
      'graceful-fs': 'node:fs',
      // The main file of the package requires other files by names that a bundler cannot resolve.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    },
    // The MCP client starts servers with packages that still load Node's modules through `require`.
    banner: { js: requireBanner },
  };
}

/**
 * The hooks of other agents, in two files. Agents wait for each call, and opening a file takes longer than reading
 * it. Bundled with other code, the hooks would be split into a chunk for each combination of programs that share
 * code.
 */
export function hookBundle(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    ...forNode,
    entryPoints: { hook: hookCommand },
    chunkNames: 'hook-[name]-[hash]',
    plugins: [builtinsOnUse, leftOut],
    banner: { js: requireBanner },
  };
}

/**
 * The process of a custom strategy. A process is started for each compaction with the strategy, and needs little of
 * the shared code.
 */
export function strategyBundle(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    ...forNode,
    entryPoints: { 'strategy-worker': 'src/agent/custom-strategy/strategy-worker.ts' },
  };
}

/** The command line for the npm package, without the extension. Its programs find each other in their own folder. */
export function commandBundles(choice: Choice): readonly BuildOptions[] {
  const whole = [
    { ...nodeBundles(choice), entryPoints: { cli: 'src/cli/main.ts' } },
    hookBundle(choice),
    strategyBundle(choice),
  ];
  return whole.map((options) => ({ ...options, outdir: 'dist/command' }));
}

const laterGroup = 'lazy-group:extension-later';

/** Makes the activation load the rest of the extension from the bundle of all other code. */
const laterApart: Plugin = {
  name: 'later-apart',
  setup(build) {
    const filter = new RegExp(`^${laterGroup}$`);
    build.onResolve({ filter }, () => ({ path: './extension-later.js', external: true }));
  },
};

const hookCommand = 'src/cli/hook-command.ts';

/**
 * Loads each of Node's modules when one of its functions is first called. An import would read every property of the
 * module at once, and some properties load more modules when they are read, such as WebCrypto.
 */
const builtinsOnUse: Plugin = {
  name: 'builtins-on-use',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      // The bundler copies the properties of this object at once, but keeps its prototype.
      contents: `module.exports = Object.create(new Proxy({}, { get: (_, name) => require('${path}')[name] }));`,
    }));
  },
};

/** Makes the command line load the hooks from the separate bundle of hooks. */
const hooksApart: Plugin = {
  name: 'hooks-apart',
  setup(build) {
    build.onResolve({ filter: /\/hook-command\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './hook.js', external: true } : undefined,
    );
  },
};

/** Copies the program of the SQLite package into the folder of the code, from which the package loads it. */
const sqliteBeside: Plugin = {
  name: 'sqlite-beside',
  setup(build) {
    const { outdir = '', write, absWorkingDir = '' } = build.initialOptions;
    if (write === false) return;
    build.onEnd(async () => {
      const folder = join(absWorkingDir, outdir);
      await mkdir(folder, { recursive: true });
      const program = fileURLToPath(import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));
      await copyFile(program, join(folder, 'sqlite3.wasm'));
    });
  },
};

/** Code that runs in webviews. Each page has one script, and one with Chinese texts is for all pages. */
export function webviewBundles(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    entryPoints: {
      chat: 'webview/chat/chat-page.ts',
      inspector: 'webview/inspector/inspector-page.ts',
      'chinese-texts': 'webview/chinese-texts.ts',
    },
    outdir: 'dist/webview',
    platform: 'browser',
    target: 'chrome130',
    format: 'iife',
    plugins: choice.isProduction ? [smallTemplates] : [],
  };
}
