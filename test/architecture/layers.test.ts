import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly string[];
}

const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as Readonly<Record<string, Layer>>;
const folders = Object.keys(layers);

/** The layer a file belongs to: the innermost folder of the table that holds it. */
function layerOf(file: string): string | undefined {
  return folders
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)[0];
}

const files = folders
  .filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));

interface Import {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

/** Everything a file imports, also dynamically. */
function importsOf(file: string): readonly Import[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined
    ) {
      const specifier = (node.moduleSpecifier as ts.StringLiteral).text;
      found.push({ specifier, isTypeOnly: isTypeOnly(node) });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteral(specifier)) {
        found.push({ specifier: specifier.text, isTypeOnly: false });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
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

const targetOf = (file: string, specifier: string) => posix.join(posix.dirname(file), specifier);

describe('the layers', () => {
  it('import only what layers.json allows', () => {
    const strays = files.flatMap((file) => {
      const layer = layerOf(file)!;
      const allowed = layers[layer]!;
      return importsOf(file)
        .filter(({ specifier }) =>
          specifier.startsWith('.')
            ? ![layer, ...allowed.layers].includes(layerOf(targetOf(file, specifier)) ?? 'outside')
            : !allowed.packages.some((name) =>
                name === 'node:*'
                  ? specifier.startsWith('node:')
                  : specifier === name || specifier.startsWith(`${name}/`),
              ),
        )
        .map(({ specifier }) => `${file} imports ${specifier}`);
    });
    expect(strays).toEqual([]);
  });

  it('have no circles, not even of types', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => targetOf(file, specifier)),
      ]),
    );
    const finished = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (path.includes(file) || finished.has(file)) return;
      for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
      finished.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });

  it('import vscode in the extension only', () => {
    const importers = files.filter((file) => importsOf(file).some(({ specifier }) => specifier === 'vscode'));
    expect(importers.filter((file) => layerOf(file) !== 'src/extension')).toEqual([]);
  });

  it('have one import of the webview toolkit', () => {
    const importers = files.filter((file) =>
      importsOf(file).some(({ specifier }) => specifier.includes('webview-ui-toolkit')),
    );
    expect(importers).toHaveLength(1);
  });

  it('load the ranks of the counter and the openai client only when they are needed', () => {
    const eager = files.flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const statics = [...source.matchAll(/^import (?!type\b)[^;]*?from '([^']+)'/gm)].map(
        (match) => match[1]!,
      );
      return statics
        .filter((name) => /^(openai|js-tiktoken)/.test(name))
        .map((name) => `${file} imports ${name}`);
    });
    expect(eager).toEqual([]);
  });

  it('each have a tsconfig that refers to exactly the layers it may import', () => {
    for (const folder of folders) {
      const config = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as {
        readonly references?: readonly { readonly path: string }[];
      };
      const referred = (config.references ?? []).map(({ path }) => relative(root, join(root, folder, path)));
      expect(referred.sort(), folder).toEqual([...layers[folder]!.layers].sort());
    }
  });

  it('keep to one concept a file: none is longer than 400 lines', () => {
    const lengths = files.map((file) => ({ file, lines: lineCount(file) }));
    const long = lengths.filter(({ lines }) => lines > 250).sort((one, other) => other.lines - one.lines);
    if (long.length > 0) {
      const list = long.map(({ file, lines }) => `  ${file} (${lines})`).join('\n');
      console.warn(`Over 250 lines. Is each of these one concept?\n${list}`);
    }
    expect(long.filter(({ lines }) => lines > 400)).toEqual([]);
  });
});

function lineCount(file: string): number {
  return readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
}
