import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { lazyGroups } from './lazy-groups.ts';
import { leftOut } from './left-out.ts';
import { ranksAsMerges } from './rank-merges.ts';

interface Choice {
  readonly isProduction: boolean;
}

function shared({ isProduction }: Choice): BuildOptions {
  return {
    bundle: true,
    // Chinese takes three bytes instead of six.
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
  // Chunks are next to the entries, because programs and files of the package are looked up from the folder
  // of the code.
  chunkNames: '[name]-[hash]',
} as const;

/**
 * Modules that are loaded together when the first of them is needed. Those that import the editor are
 * separate, because the command line and the workers have none.
 */
const groups = [
  ['src/extension/', 'extension-later'],
  ['src/language/chinese', 'chinese'],
  ['src/agent/openai/', 'model'],
  ['openai', 'model'],
  ['@modelcontextprotocol/sdk/client/', 'mcp'],
  ['src/cli/mcp-command', 'mcp'],
  ['src/cli/cli', 'command-line'],
  ['src/cli/view-diff', 'command-line'],
  ['proper-lockfile', 'later'],
  // Hooks of other agents load this group alone, and wait for it.
  ['src/compaction/tokens/', 'tokens'],
  ...['agent', 'bridge', 'compaction', 'insights', 'language', 'presenters', 'transcripts'].map(
    (layer) => [`src/${layer}/`, 'later'] as const,
  ),
] as const;

/** Groups by the group that needs them. */
const loadedWith = { 'extension-later': 'later', 'command-line': 'later', model: 'later', mcp: 'later' };

/** Modules that two or three groups share. Loaded with one of them, they need no separate file. */
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
 * Code that runs in Node, except hooks and custom strategies. Splitting keeps dynamically imported code in
 * separate files that are loaded on first use: the ranks of the token counter and the openai client.
 */
export function nodeBundles(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    entryPoints: {
      extension: 'src/extension/extension.ts',
      'engine-worker': 'src/presenters/engine/engine-worker.ts',
      cli: 'src/cli/main.ts',
    },
    ...forNode,
    plugins: [hooksApart, sqliteBeside, leftOut, ranksAsMerges, lazyGroups({ groups, loadedWith, besides })],
    external: ['vscode'],
    // The package changes Node's own `fs` for every extension in the process. Locks do not need it.
    alias: {
      'graceful-fs': 'node:fs',
      // Its main file requires others by names that a bundler cannot see.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    },
    // The MCP client starts servers through packages that still ask for Node's modules with `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  };
}

/**
 * Hooks of other agents, in two files. Agents wait for each call, and opening a file takes longer than
 * reading it. Bundled with everything else, they would be split into as many chunks as there are ways to
 * share their code.
 */
export function hookBundle(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    ...forNode,
    entryPoints: { hook: hookCommand },
    chunkNames: 'hook-[name]-[hash]',
    plugins: [leftOut],
  };
}

/**
 * The process of a custom strategy. One starts for each compaction with it, and needs little of the shared
 * code.
 */
export function strategyBundle(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    ...forNode,
    entryPoints: { 'strategy-worker': 'src/agent/custom-strategy/strategy-worker.ts' },
  };
}

/**
 * The command line without the extension, for the npm package. Programs find each other in their own folder.
 */
export function commandBundles(choice: Choice): readonly BuildOptions[] {
  const whole = [
    { ...nodeBundles(choice), entryPoints: { cli: 'src/cli/main.ts' } },
    hookBundle(choice),
    strategyBundle(choice),
  ];
  return whole.map((options) => ({ ...options, outdir: 'dist/command' }));
}

const hookCommand = 'src/cli/hook-command.ts';

/** Makes the command line load hooks from their own bundle. */
const hooksApart: Plugin = {
  name: 'hooks-apart',
  setup(build) {
    build.onResolve({ filter: /\/hook-command\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './hook.js', external: true } : undefined,
    );
  },
};

/** The SQLite package loads its program from the folder of the code. */
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

/** Code that runs in a webview: one file each, because a strict content security policy admits one script. */
export function webviewBundles(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    entryPoints: { chat: 'webview/chat/chat-page.ts', inspector: 'webview/inspector/inspector-page.ts' },
    outdir: 'dist/webview',
    platform: 'browser',
    target: 'chrome130',
    format: 'iife',
  };
}
