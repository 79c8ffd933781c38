import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { inChinese } from '../../src/extension/language/chinese-sentences.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What is put in front of a person as it is. */
const shows = /^(?:show\w+|setStatusBarMessage|withProgress|create(?:WebviewPanel|QuickPick|InputBox))$/u;
/** Properties that a person reads, wherever they are set. */
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

/** Files whose texts are translated in the manifest, those that hold translations, and what only the log is told. */
const elsewhere =
  /\/(?:language|protocol)\/|(?:compaction-log|page-html)\.ts$|settings\/(?:configuration|general-settings|setting-texts)\.ts$|models\/provider-choices\.ts$/u;
/** Descriptions of settings, which are in the manifest. */
const inManifest = new Set(['description', 'markdownDescription']);

/** The same in every language, or a part of a sentence that is known as a whole. */
const named: ReadonlySet<string> = new Set([
  'Context Budget',
  'Context Budget: {}',
  'VS Code',
  'Markdown',
  // The title of the page of the chat, which VS Code shows by the name of its view.
  'Chat',
  // Shown by another name, see shown-title.ts.
  'New chat',
  // What is wrong with a setting, and with a command.
  '{}; the built-in table is used.',
  '{} must be {}, not {}',
  '{} must be an object, not {}',
  '{} has no {}; it has {}',
  '{} from {} to {}',
  'a whole number',
  'There is no {} "{}". {}',
]);

interface Text {
  readonly file: string;
  readonly text: string;
}

interface Texts {
  /** Texts of a few words. */
  readonly sentences: readonly Text[];
  /** Texts of any length that are handed to the editor as they are, in order to be shown. */
  readonly shown: readonly Text[];
}

/** The texts of a file, except those for the log. */
function textsIn(file: string): Texts {
  const sentences: Text[] = [];
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
    if (text !== undefined && /\p{L}{2,} \p{L}|\} \p{L}{2}/u.test(text)) sentences.push({ file, text });
    else if (text !== undefined && isShown && /^\p{Lu}\p{Ll}/u.test(text)) shown.push({ file, text });
    ts.forEachChild(node, (child) => visit(child, isShown && !ts.isFunctionLike(node)));
  };
  visit(ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true), false);
  return { sentences, shown };
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

describe('the extension', () => {
  const files = globSync('src/{extension,presenters}/**/*.ts', { cwd: root }).filter(
    (file) => !elsewhere.test(file),
  );
  const texts = files.map(textsIn);

  it('says no sentence in English alone', () => {
    const said = texts.flatMap(({ sentences }) => sentences).filter(({ text }) => !named.has(text));
    const isKnown = ({ text }: Text) =>
      /\p{Script=Han}/u.test(inChinese(text.trim().replaceAll('{}', '1')) ?? '');
    expect(said.filter((text) => !isKnown(text))).toEqual([]);
  });

  it('hands no English word to the editor to be shown', () => {
    expect(texts.flatMap(({ shown }) => shown).filter(({ text }) => !named.has(text))).toEqual([]);
  });
});
