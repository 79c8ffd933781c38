import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { textOf } from './literal-text.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Functions of the editor that show their arguments to the user. */
const shows = /^(?:show\w+|setStatusBarMessage|withProgress|create(?:WebviewPanel|QuickPick|InputBox))$/u;
/** Properties that a user reads, wherever they are set. */
const read = new Set([
  'title',
  'placeHolder',
  'placeholder',
  'prompt',
  'tooltip',
  'openLabel',
  'detail',
  'problem',
]);
/** Calls whose texts are for the log. */
const logs = /\blog\.(?:info|warn|error)$|^failed$/u;

/**
 * Files with texts that the manifest translates, files of translations, and files with texts for the log
 * only.
 */
const elsewhere =
  /\/(?:language|protocol)\/|(?:compaction-log|page-html)\.ts$|settings\/(?:configuration|general-settings|setting-texts)\.ts$/u;
/** Descriptions of settings, which are in the manifest. */
const inManifest = new Set(['description', 'markdownDescription']);

/** Texts that are the same in every language. */
const named: ReadonlySet<string> = new Set([
  'Context Budget',
  'Context Budget: {}',
  'VS Code',
  'Markdown',
  // The title of the page of the chat, which VS Code shows by the name of its view.
  'Chat',
  // Shown by another name, see shownTitle.
  'New chat',
]);

/** A capitalised word, or several words. */
const words = /^\p{Lu}\p{Ll}|\p{L}{2,} \p{L}|\} \p{L}{2}/u;

interface Text {
  readonly file: string;
  readonly text: string;
}

/** Texts in a file that are passed to the editor unchanged, except those for the log. */
function shownTextsIn(file: string): readonly Text[] {
  const shown: Text[] = [];
  const visit = (node: ts.Node, isShown: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText();
      if (logs.test(callee)) return;
      const name = callee.split('.').at(-1) ?? '';
      node.arguments.forEach((argument) => visit(argument, isShown || shows.test(name)));
      visit(node.expression, false);
      return;
    }
    if (ts.isPropertyAssignment(node)) {
      const name = node.name.getText();
      if (!inManifest.has(name)) visit(node.initializer, read.has(name));
      return;
    }
    const text = textOf(node);
    if (text !== undefined && isShown && words.test(text)) shown.push({ file, text });
    ts.forEachChild(node, (child) => visit(child, isShown && !ts.isFunctionLike(node)));
  };
  visit(ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true), false);
  return shown;
}

describe('the extension', () => {
  const files = globSync('src/{extension,presenters}/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !elsewhere.test(file));
  const texts = files.flatMap(shownTextsIn);

  it('shows no English that is not a translated sentence or a name', () => {
    expect(texts.filter(({ text }) => !named.has(text))).toEqual([]);
  });
});
