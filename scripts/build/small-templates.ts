import { readFile } from 'node:fs/promises';
import { transform, type Plugin } from 'esbuild';
import ts from 'typescript';

/**
 * Removes line breaks and indentation from the templates of pages and of their packages, and minifies styles. esbuild
 * must not do so, because it does not know what a template means.
 */
export const smallTemplates: Plugin = {
  name: 'small-templates',
  setup(build) {
    build.onLoad({ filter: withTemplates }, async ({ path }) => ({
      contents: await withSmallTemplates(await readFile(path, 'utf8')),
      loader: path.endsWith('.ts') ? 'ts' : 'js',
    }));
  },
};

/** Modules of the pages, of the toolkit, and of the packages under it. */
const withTemplates =
  /[\\/](?:webview[\\/].*\.ts|@vscode[\\/]webview-ui-toolkit[\\/].*\.js|@microsoft[\\/]fast-.*\.js)$/;

/** A line break that a browser drops. A space in its place would be shown. */
const firstLineBreak = /(?<=<pre\b[^<]*[^=]>)\n/gu;

/** Returns the source with smaller `html`, `svg` and `css` templates. */
export async function withSmallTemplates(given: string): Promise<string> {
  if (!/\b(?:html|svg|css)\s?`/u.test(given)) return given;
  const source = given.replace(firstLineBreak, '');
  const file = ts.createSourceFile('page.ts', source, ts.ScriptTarget.ESNext);
  /** Position in the source → new text of a part of a template. */
  const parts: { readonly start: number; readonly end: number; readonly tag: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) {
      const tag = node.tag.getText(file);
      const { template } = node;
      const literals = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template]
        : [template.head, ...template.templateSpans.map(({ literal }) => literal)];
      if (['html', 'svg', 'css'].includes(tag)) {
        for (const literal of literals) parts.push({ start: literal.getStart(file), end: literal.end, tag });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  let small = '';
  let at = 0;
  for (const { start, end, tag } of parts.toSorted((one, other) => one.start - other.start)) {
    const text = source.slice(start, end);
    const isWholeStyle = tag === 'css' && text.startsWith('`') && text.endsWith('`');
    small +=
      source.slice(at, start) + (isWholeStyle ? await smallStyle(text) : text.replace(/\s*\n\s*/gu, ' '));
    at = end;
  }
  return small + source.slice(at);
}

/** @param literal a style sheet between backticks */
async function smallStyle(literal: string): Promise<string> {
  const css = literal.slice(1, -1);
  // The text of a literal with escapes differs from its source.
  if (css.includes('\\')) return literal;
  // Without UTF-8, esbuild escapes other characters than ASCII, and a literal cannot hold these escapes.
  const { code } = await transform(css, {
    loader: 'css',
    minify: true,
    target: 'chrome130',
    charset: 'utf8',
  });
  return `\`${code.trim().replaceAll('\\', '\\\\')}\``;
}
