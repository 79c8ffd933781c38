import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Modules of packages that our code never reaches, by path in `node_modules`. A bundler does not see that,
 * because of a class that creates all of its parts, or an option with a default.
 */
const unreached: readonly RegExp[] = [
  // Only chat completions and responses are used, and neither through a helper.
  /^openai\/resources\/(?!index\.|shared\.|chat\/(?!completions\/messages\.)|responses\/(?!input-))/,
  /^openai\/lib\/(?:parser|ChatCompletion(?:Streaming)?Runner|ChatCompletionStream|responses\/ResponseStream)\./,
  /^openai\/auth\/workload-identity-auth\./,
  // Values from servers are not validated by their own schemas, and our server requests nothing.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\./,
  // Servers are reached with the headers in their settings, without a login.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/client\/auth\./,
  // No task of a server is followed.
  /^@modelcontextprotocol\/sdk\/dist\/esm\/experimental\/tasks\/(?:client|server)\./,
  // All schemas in use are the SDK's own, of version 4. None is converted to a JSON schema.
  /^zod\/v3\/types\./,
  /^zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\./,
  /^zod-to-json-schema\/dist\/esm\/(?!index\.)/,
];

/** Examples of the forms in which users write rules and decisions. Only tests read them. */
const examples = /^ *examples: \[[^]*?(?<=')(?:,\n *)?\],$/gm;

/**
 * Leaves unreached modules and sentences out of bundles. The substitute for an export can be constructed, so
 * that classes that contain it can be, too. It throws when it is called or read.
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

/** Exported names of a module in the form that TypeScript writes. A build that imports another name fails. */
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
