import { expect, it } from 'vitest';
import { withSmallTemplates } from '../../../scripts/build/small-templates.ts';

it('joins the lines of a template, and keeps its expressions', async () => {
  const source =
    'const row = html`<p\n    class="row"\n  >\n    ${name === `\n` ? `a\n  b` : html`\n  <b></b>`}\n  </p>`;\n';
  expect(await withSmallTemplates(source)).toBe(
    'const row = html`<p class="row" > ${name === `\n` ? `a\n  b` : html` <b></b>`} </p>`;\n',
  );
});

it('minifies styles', async () => {
  expect(await withSmallTemplates('addStyles(css`\n  .row {\n    color: red;\n  }\n`);')).toBe(
    'addStyles(css`.row{color:red}`);',
  );
});

it('keeps characters beyond ASCII in styles', async () => {
  expect(await withSmallTemplates("css`.row::before { content: '▲ ' / ''; }`")).toBe(
    'css`.row:before{content:"▲ " / ""}`',
  );
});

it('leaves other templates alone', async () => {
  const source = 'const text = `one\n  two`; // html`\n';
  expect(await withSmallTemplates(source)).toBe(source);
});

it('joins the lines of the toolkit, which has a space before its templates', async () => {
  expect(
    await withSmallTemplates('const look = css `\n\t.control {\n\t\tcolor: ${foreground};\n\t}\n`;\n'),
  ).toBe('const look = css ` .control { color: ${foreground}; } `;\n');
});

it('adds no space to the beginning of a `pre`', async () => {
  expect(await withSmallTemplates('html`<pre\n  class=${name}\n>\n${text}</pre>`')).toBe(
    'html`<pre class=${name} >${text}</pre>`',
  );
});
