import ts from 'typescript';
import type { SourceFile } from './source-tree.ts';

/** A name that a file exports. */
export interface ExportedName {
  readonly path: string;
  readonly name: string;
}

/** The names that a file itself declares and exports. Re-exports belong to the file that declares them. */
export function exportsOf({ path, syntax }: SourceFile): readonly ExportedName[] {
  return syntax.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    return isExported ? declaredNames(statement).map((name) => ({ path, name })) : [];
  });
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  }
  const { name } = statement as ts.DeclarationStatement;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function namesIn(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

/**
 * Exports that no other file uses.
 *
 * @param users files that may use exports, including the exporting files
 * @param entries paths of files whose exports other programs use
 */
export function unusedExports(
  files: readonly SourceFile[],
  users: readonly SourceFile[],
  entries: ReadonlySet<string>,
): readonly ExportedName[] {
  const used = new Set(users.flatMap(usesOf).map(({ path, name }) => `${path} ${name}`));
  return files
    .filter(({ path }) => !entries.has(path))
    .flatMap(exportsOf)
    .filter(({ path, name }) => !used.has(`${path} ${name}`) && !used.has(`${path} *`));
}

/** Exported name → paths that declare it, for names that stand for different things. */
export function repeatedExports(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(files.flatMap(exportsOf), ({ name }) => name);
  return new Map(
    [...byName]
      .map(([name, all]) => [name, [...new Set(all.map(({ path }) => path))]] as const)
      .filter(([, paths]) => paths.length > 1),
  );
}

/** Names that a file imports, with the paths that declare them; `*` stands for all names of a path. */
function usesOf(file: SourceFile): readonly ExportedName[] {
  const uses: ExportedName[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    const target = specifier?.startsWith('.') === true ? targetOf(file, specifier) : undefined;
    if (target !== undefined) uses.push(...takenNames(node).map((name) => ({ path: target, name })));
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  return uses;
}

function targetOf({ imports }: SourceFile, specifier: string): string | undefined {
  return imports.find((entry) => entry.specifier === specifier)?.target;
}

function specifierOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return textOf(node.moduleSpecifier);
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return textOf(node.arguments[0]);
  }
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
    ? textOf(node.argument.literal)
    : undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The names that an import, a re-export or an imported type uses. */
function takenNames(node: ts.Node): readonly string[] {
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined) return node.importClause === undefined ? [] : ['default'];
    return ts.isNamedImports(bindings) ? bindings.elements.map(givenName) : ['*'];
  }
  if (ts.isExportDeclaration(node)) {
    const clause = node.exportClause;
    return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(givenName) : ['*'];
  }
  if (ts.isImportTypeNode(node)) return node.qualifier === undefined ? ['*'] : [firstName(node.qualifier)];
  return namesOfLazyImport(node);
}

function givenName({ name, propertyName }: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (propertyName ?? name).text;
}

function firstName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : firstName(name.left);
}

/** `const { name } = await import('…')` and `(await import('…')).name` use one name. All other forms use all names. */
function namesOfLazyImport(call: ts.Node): readonly string[] {
  let node = call.parent;
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent;
  if (ts.isPropertyAccessExpression(node) && node.name.text !== 'then') return [node.name.text];
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return ['*'];
  return node.name.elements.map(({ name, propertyName }) =>
    propertyName !== undefined && ts.isIdentifier(propertyName) ? propertyName.text : name.getText(),
  );
}
