import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Modules of packages that our code never reaches, by path in `node_modules`. A bundler cannot know this, for example
 * if a class creates all of its parts or if an option has a default.
 */
const unreached: readonly RegExp[] = [
  // We use only chat completions and responses, without the helpers of the package.
  /^openai\/resources\/(?!index\.|shared\.|chat\/(?!completions\/messages\.)|responses\/(?!input-))/,
  /^openai\/lib\/(?:parser|ChatCompletion(?:Streaming)?Runner|ChatCompletionStream|responses\/ResponseStream)\./,
  /^openai\/auth\/workload-identity-auth\./,
  // Our server asks clients for no values. Our client does not validate values by the schemas of servers.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\./,
  // We reach servers with the headers in their settings and do not log in.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/client\/auth\./,
  // Our client does not use the tasks that servers offer.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/experimental\/tasks\/(?:client|server)\./,
  // We use only the SDK's own schemas, in version 4, and convert none to JSON schemas.
  /^zod\/v3\/types\./,
  /^zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\./,
  /^zod-to-json-schema\/dist\/esm\/(?!index\.)/,
];

/** Examples of how users write rules and decisions. Only tests read them. */
const examples = /^ *examples: \[[^]*?(?<=')(?:,\n *)?\],$/gm;

/**
 * Leaves unreached modules and sentences out of bundles. A substitute replaces each export. It can be constructed
 * as a part of other classes, but throws when it is called or read.
 */
export const leftOut: Plugin = {
  name: 'left-out',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const module = path.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '');
      if (!unreached.some((pattern) => pattern.test(module))) return undefined;
      return { contents: standIn(module, exportsOf(await readFile(path, 'utf8'))) };
    });
    build.onLoad({ filter: /[\\/]ledger[\\/][a-z]+-forms\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(examples, ''),
      loader: 'ts',
    }));
  },
};

/** The names that a module written by TypeScript exports. If another name is imported, the build fails. */
function exportsOf(code: string): readonly string[] {
  const declared = code.matchAll(/^export (?:default )?(?:async )?(?:class|function|const|let|var) (\w+)/gm);
  const listed = code.matchAll(/^export \{([^}]*)\}/gm);
  const names = [...listed].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return [
    ...new Set([...declared].map(([, name = '']) => name)),
    ...names.filter((name) => name !== '').map((name) => name.split(/\s+as\s+/).at(-1)!),
  ];
}

function standIn(module: string, names: readonly string[]): string {
  return `
    const message = ${JSON.stringify(`${module} is not in this build.`)};
    const fail = () => { throw new Error(message); };
    function LeftOut() { return new.target === undefined ? fail() : new Proxy(this, { get: fail }); }
    export { ${names.map((name) => `LeftOut as ${name}`).join(', ')} };
  `;
}
