import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Modules of packages that none of our code reaches, by path in `node_modules`. A class that creates one of each of its
 * parts, or an option with a default, keeps a bundler from seeing that.
 */
const unreached: readonly RegExp[] = [
  // Chat completions and responses are the only resources that are asked for, and neither is asked through a helper.
  /^openai\/resources\/(?!index\.|shared\.|chat\/(?!completions\/messages\.)|responses\/(?!input-))/,
  /^openai\/lib\/(?:parser|ChatCompletion(?:Streaming)?Runner|ChatCompletionStream|responses\/ResponseStream)\./,
  /^openai\/auth\/workload-identity-auth\./,
  // What servers return is not validated by their own schemas, and ours are asked for nothing.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\./,
  // Servers are reached with the headers of their settings. None is logged in to.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/client\/auth\./,
  // No task of a server is followed.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/experimental\/tasks\/(?:client|server)\./,
  // Every schema in use is one of the SDK's own, which are of version 4, and none is turned into a JSON schema.
  /^zod\/v3\/types\./,
  /^zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\./,
  /^zod-to-json-schema\/dist\/esm\/(?!index\.)/,
];

/** Sentences beside the forms that users write rules and decisions in. Only tests read them. */
const examples = /^ *examples: \[[^]*?(?<=')(?:,\n *)?\],$/gm;

/**
 * Leaves unreached modules and sentences out of bundles. What stands in for an export can be created, so that the
 * classes that hold it can, too. It throws when it is called, or when anything of it is read.
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

/** Names that a module as TypeScript writes it exports. A build that imports another one of it fails. */
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
