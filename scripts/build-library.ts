/**
 * Builds the library, `context-budget/engine` and `context-budget/formats`, into `dist/library`. Each source file
 * becomes a JavaScript module with its declarations, so that bundlers can leave out unused modules. Packages are
 * bundled into the modules that use them. `context-budget/api` has only declarations: the types of the extension's
 * API.
 *
 * Usage: node scripts/build-library.ts
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import * as esbuild from 'esbuild';
import ts from 'typescript';
import { projectFolder } from './project.ts';
import { leftOut } from './build/left-out.ts';
import { ranksAsMerges } from './build/rank-merges.ts';
import { runMain } from './run-main.ts';
import { bundledPackages, noticesOf } from './build/third-party.ts';

/** The folder to which the exports of `package.json` point. */
export const libraryFolder = join(projectFolder, 'dist', 'library');

const entries = ['src/library/engine.ts', 'src/library/formats.ts'];

/** Modules with types for other programs. */
const typeEntries = ['src/extension/window/api-types.ts'];

/** @throws if a declaration cannot be written */
export async function buildLibrary(): Promise<void> {
  await rm(libraryFolder, { recursive: true, force: true });
  const declarations = declarationFiles();
  const { metafile } = await esbuild.build(await moduleOptions());
  const packages = await bundledPackages([metafile]);
  await writeFile(join(libraryFolder, 'THIRD_PARTY_NOTICES.txt'), noticesOf(packages));
  for (const [path, text] of declarations) {
    const file = join(libraryFolder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Options that build a module from each source that the entries load. Imports between the modules stay imports. */
async function moduleOptions(): Promise<esbuild.BuildOptions & { readonly metafile: true }> {
  const common = { absWorkingDir: projectFolder, bundle: true, format: 'esm', platform: 'neutral' } as const;
  const { metafile } = await esbuild.build({
    ...common,
    entryPoints: entries,
    packages: 'external',
    write: false,
    outdir: 'out',
    metafile: true,
  });
  return {
    ...common,
    entryPoints: Object.keys(metafile.inputs).map((source) => ({
      in: source,
      out: pathInLibrary(source).replace(/\.ts$/, ''),
    })),
    outdir: libraryFolder,
    splitting: true,
    chunkNames: 'packages/[name]-[hash]',
    target: 'es2022',
    mainFields: ['module', 'main'],
    legalComments: 'inline',
    metafile: true,
    plugins: [{ name: 'modules', setup: keepModules }, leftOut, ranksAsMerges],
  };
}

function keepModules(build: esbuild.PluginBuild): void {
  build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, importer, kind }) => {
    const source = sourcePath(importer);
    if (kind === 'entry-point' || !source.startsWith('src/')) return undefined;
    return { path: libraryImport(source, path), external: true, sideEffects: false };
  });
}

/** Path in the library → text of each declaration file to which the entries refer. */
function declarationFiles(): ReadonlyMap<string, string> {
  const program = ts.createProgram(
    [...entries, ...typeEntries].map((entry) => join(projectFolder, entry)),
    compilerOptions(),
  );
  const files = new Map<string, string>();
  const add = (source: string): void => {
    const path = pathInLibrary(source).replace(/\.ts$/, '.d.ts');
    if (files.has(path)) return;
    const text = declarationOf(program, source);
    files.set(path, text);
    const rewritten = text.replace(specifiers, (_whole, before: string, specifier: string) => {
      add(posix.join(posix.dirname(source), specifier));
      return `${before}'${libraryImport(source, specifier)}'`;
    });
    files.set(path, rewritten);
  };
  [...entries, ...typeEntries].forEach(add);
  return files;
}

/** @throws if the source does not exist, or if no declaration can be generated for an exported type */
function declarationOf(program: ts.Program, source: string): string {
  let declaration: string | undefined;
  const write = (_name: string, text: string) => (declaration = text);
  const file = program.getSourceFile(join(projectFolder, source));
  const { diagnostics = [] } = file === undefined ? {} : program.emit(file, write, undefined, true);
  const [problem] = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  if (declaration === undefined || problem !== undefined) {
    throw new Error(`The declarations of ${source} were not written: ${problem ?? 'there is no such file'}.`);
  }
  return declaration;
}

/** Relative imports of a declaration file: after `from`, in `import(…)`. */
const specifiers = /(\bfrom |\bimport\()["'](\.[^"']+\.ts)["']/g;

function compilerOptions(): ts.CompilerOptions {
  const file = join(projectFolder, 'tsconfig.base.json');
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, projectFolder);
  return {
    ...options,
    composite: false,
    incremental: false,
    declaration: true,
    emitDeclarationOnly: true,
    types: ['node'],
  };
}

/** Path of a source relative to the project's folder, with slashes. */
function sourcePath(file: string): string {
  return relative(projectFolder, file).replaceAll('\\', '/');
}

/** Path of a module in the library. The entries are at the top, next to the folders of the engine. */
function pathInLibrary(source: string): string {
  return source.replace(/^src\/(?:library\/)?/, '');
}

/** Converts an import of one source by another into an import between their modules. */
function libraryImport(importer: string, specifier: string): string {
  const target = posix.join(posix.dirname(importer), specifier);
  const path = posix.relative(posix.dirname(pathInLibrary(importer)), pathInLibrary(target));
  return (path.startsWith('.') ? path : `./${path}`).replace(/\.ts$/, '.js');
}

if (process.argv[1] === import.meta.filename) await runMain(buildLibrary);
