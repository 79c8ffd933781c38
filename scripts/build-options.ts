import type { BuildOptions } from 'esbuild';

interface Choice {
  readonly isProduction: boolean;
}

function shared({ isProduction }: Choice): BuildOptions {
  return {
    bundle: true,
    minify: isProduction,
    sourcemap: isProduction ? false : 'linked',
    legalComments: isProduction ? 'linked' : 'none',
    logLevel: 'warning',
  };
}

/**
 * Code that runs in Node. Splitting keeps what is imported dynamically, the ranks of the token counter and the
 * openai client, in files of their own that are loaded when they are first needed.
 */
export function nodeBundles(choice: Choice): BuildOptions {
  return {
    ...shared(choice),
    entryPoints: {
      extension: 'src/extension/extension.ts',
      'counter-worker': 'src/presenters/counting/counter-worker.ts',
      'what-if-worker': 'src/presenters/inspector/what-if-worker.ts',
      'strategy-worker': 'src/agent/custom-strategy/strategy-worker.ts',
      cli: 'src/cli/main.ts',
    },
    outdir: 'dist',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: ['vscode'],
    // It changes Node's own `fs`, for every extension in the process. Locks need nothing of it.
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
