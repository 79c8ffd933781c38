import { glob, readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { type Plugin, transform } from 'esbuild';
import { projectFolder } from '../project.ts';

const namespace = 'lazy-group';
/** A dynamic import, as it appears in JavaScript. */
const lazyImport = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Groups of modules, and options that keep the number of files low. */
export interface LazyGroups {
  /**
   * Group of a module by the beginning of its path in the project, or by its package name. The first match is used.
   * Modules without a group are separate files.
   */
  readonly groups: readonly (readonly [prefix: string, group: string])[];
  /** Group → the group that is loaded with it. Modules that both groups share with a third are then in one file. */
  readonly loadedWith: Readonly<Record<string, string>>;
  /** Group → sources that the group also loads, although no source imports them dynamically. */
  readonly besides: Readonly<Record<string, readonly string[]>>;
}

/**
 * Groups the modules that sources import dynamically. Otherwise, each module and each combination of shared modules
 * would be a separate file. A group is loaded when the first of its modules is needed.
 */
export function lazyGroups({ groups, loadedWith, besides }: LazyGroups): Plugin {
  const groupOf = (path: string) => groups.find(([prefix]) => path.startsWith(prefix))?.[1];
  return {
    name: namespace,
    setup(build) {
      // The sources of a group must be known before the first group is read.
      let members: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
      build.onStart(() => {
        members = membersOf(groupOf);
      });
      build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
        path: path.slice(namespace.length + 1),
        namespace,
      }));
      build.onLoad({ filter: /.*/, namespace }, async ({ path }) => ({
        contents: [
          ...(loadedWith[path] === undefined ? [] : [`import '${namespace}:${loadedWith[path]}';`]),
          ...(besides[path] ?? []).map((source) => `import ${JSON.stringify(specifierOf(source))};`),
          ...((await members)?.get(path) ?? []).map(
            (source) => `export * as ${nameOf(source)} from ${JSON.stringify(specifierOf(source))};`,
          ),
        ].join('\n'),
        resolveDir: projectFolder,
      }));
      build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes('import(')) return undefined;
        const { code } = await transform(text, { loader: 'ts', sourcefile: path, sourcemap: 'inline' });
        const contents = code.replace(lazyImport, (whole, specifier: string) => {
          const source = sourceOf(path, specifier);
          const group = groupOf(source);
          return group === undefined
            ? whole
            : `import("${namespace}:${group}").then((group) => group.${nameOf(source)})`;
        });
        return { contents, loader: 'js' };
      });
    },
  };
}

/** Group → sources in it that are imported dynamically. */
async function membersOf(
  groupOf: (path: string) => string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const members = new Map<string, Set<string>>();
  for await (const path of glob('src/**/*.ts', { cwd: projectFolder })) {
    const file = resolve(projectFolder, path);
    const text = await readFile(file, 'utf8');
    if (!text.includes('import(')) continue;
    const { code } = await transform(text, { loader: 'ts' });
    for (const [, specifier = ''] of code.matchAll(lazyImport)) {
      const source = sourceOf(file, specifier);
      const group = groupOf(source);
      if (group !== undefined) members.set(group, (members.get(group) ?? new Set()).add(source));
    }
  }
  return new Map([...members].map(([group, sources]) => [group, [...sources].toSorted()]));
}

/** The path of a source in the project with forward slashes, or the name of a package. */
function sourceOf(importer: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(projectFolder, resolve(dirname(importer), specifier))
    .split(sep)
    .join('/');
}

function specifierOf(source: string): string {
  return source.startsWith('src/') ? `./${source}` : source;
}

function nameOf(source: string): string {
  return source.replace(/\W/g, '_');
}
