import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../project.ts';

/** The entry of a layer in `layers.json`. */
export interface Layer {
  /** Folders of the layers that this layer may import. */
  readonly layers: readonly string[];
  /** Packages that this layer may import; `node:*` stands for all modules of Node. */
  readonly packages: readonly string[];
  /** Limits on the size of the layer. Raise them only on purpose. */
  readonly budget: Size;
}

/** Number of files, and number of lines in them. */
export interface Size {
  readonly files: number;
  readonly lines: number;
}

/** Folder → layer. */
export const layers = JSON.parse(readFileSync(join(projectFolder, 'layers.json'), 'utf8')) as Readonly<
  Record<string, Layer>
>;

/** Folder of the layer that contains a file. */
export function layerOf(path: string): string | undefined {
  return Object.keys(layers)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)[0];
}

/** A static or dynamic import, or a re-export. */
export interface Import {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  /** Path of the imported file; absent if a package is imported. */
  readonly target?: string;
}

/** A TypeScript file of `src` or `webview`. */
export interface SourceFile {
  /** Path relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly syntax: ts.SourceFile;
}

/** All TypeScript files of the layers, sorted by path. */
export function readSources(): readonly SourceFile[] {
  return Object.keys(layers)
    .filter((folder) => layerOf(folder) === undefined)
    .flatMap((folder) =>
      readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort()
    .map(readSource);
}

/** TypeScript files of scripts and tests, which may use exports of the layers as well. */
export function readOtherUsers(): readonly SourceFile[] {
  return globSync('{scripts,test}/**/*.ts', { cwd: projectFolder })
    .filter((path) => !path.endsWith('.d.ts'))
    .map((path) => readSource(path.replaceAll('\\', '/')));
}

/** Reads a TypeScript file by its path relative to the project's folder. */
export function readSource(path: string): SourceFile {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, text, lines: text.trimEnd().split('\n').length, imports: importsOf(syntax), syntax };
}

function importsOf(source: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean): void => {
    const target = posix.join(posix.dirname(source.fileName), specifier);
    found.push({ specifier, isTypeOnly, ...(specifier.startsWith('.') && { target }) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, importsTypesOnly(node.importClause));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      if (ts.isStringLiteral(node.moduleSpecifier)) add(node.moduleSpecifier.text, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteral(specifier)) add(specifier.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  );
}
