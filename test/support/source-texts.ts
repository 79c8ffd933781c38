import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A text that is in the sources. */
export interface SourceText {
  readonly file: string;
  /** Placeholders are written as `{}`. */
  readonly text: string;
}

/**
 * The texts of source files, with those of property names and types left out.
 *
 * @param pattern relative to the project
 * @param skipped names of properties whose values are left out
 */
export function sourceTexts(pattern: string, skipped: ReadonlySet<string>): readonly SourceText[] {
  return globSync(pattern).flatMap((file) => {
    const texts: SourceText[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
      if (ts.isPropertyAssignment(node)) {
        if (!skipped.has(node.name.getText())) visit(node.initializer);
        return;
      }
      const text = textOf(node);
      if (text !== undefined) texts.push({ file, text });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
    return texts;
  });
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}
