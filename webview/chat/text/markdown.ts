import purifier from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { element } from '../../shared/growing-text.ts';
import { strings } from './chat-strings.ts';
import { type LinkTarget, parseLink, parsePathAndLine } from './link-target.ts';

/**
 * Shows answers as Markdown. Text of a model is untrusted: HTML stays text, except a few tags without attributes;
 * images are never loaded, and all output is sanitised.
 */

const harmlessTags = 'br|b|i|em|strong|s|u|del|ins|kbd|mark|sub|sup|small';
const escapedHarmlessTag = new RegExp(`&lt;(/?(?:${harmlessTags}))\\s*/?&gt;`, 'gi');

const allowedTags = [
  ...harmlessTags.split('|'),
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'hr', 'pre', 'code', 'a'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ownAttributes = ['data-path', 'data-line', 'data-language'];

/** Links cannot be nested, so the content of a link is text. */
let isInsideLink = false;

const markdown = new Marked({
  gfm: true,
  renderer: {
    html({ text, block }: Tokens.HTML | Tokens.Tag) {
      const shown = escapeHtml(text.trimEnd()).replace(escapedHarmlessTag, '<$1>');
      return block ? `<p>${shown}</p>` : shown;
    },
    link({ href, tokens }) {
      const wasInside = isInsideLink;
      isInsideLink = true;
      const inner = this.parser.parseInline(tokens);
      isInsideLink = wasInside;
      return wasInside ? inner : anchor(parseLink(href), inner);
    },
    image({ href, text }) {
      const name = escapeHtml(text === '' ? href : text);
      return isInsideLink ? name : anchor(parseLink(href), name);
    },
    codespan({ text }) {
      const code = `<code>${escapeHtml(text)}</code>`;
      return isInsideLink ? code : anchor(parsePathAndLine(text), code);
    },
    code({ text, lang }) {
      const language = /^[\w#+.-]+/.exec(lang ?? '')?.[0] ?? '';
      return `<pre data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}\n</code></pre>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** HTML of one block before it is sanitised. It can be compared, and passed to `toFragment`. */
export function htmlOf(block: Token): string {
  return markdown.parser([block]);
}

/** Sanitises HTML and converts it to nodes. */
export function toFragment(html: string): DocumentFragment {
  const fragment = purifier.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href', 'start', 'align', ...ownAttributes],
    ADD_URI_SAFE_ATTR: ['start', 'align', ...ownAttributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.title = targetText(link);
    if (link.dataset['path'] !== undefined) link.href = '#';
  }
  for (const block of fragment.querySelectorAll('pre')) wrapCode(block);
  return fragment;
}

/** The target of a link that this module made. */
export function targetOf(link: HTMLAnchorElement): LinkTarget | undefined {
  const { path, line } = link.dataset;
  if (path !== undefined) {
    return line === undefined ? { type: 'file', path } : { type: 'file', path, line: Number(line) };
  }
  return parseLink(link.getAttribute('href') ?? '');
}

function anchor(target: LinkTarget | undefined, inner: string): string {
  if (target === undefined) return inner;
  if (target.type === 'web') return `<a href="${escapeHtml(target.url)}">${inner}</a>`;
  const line = target.line === undefined ? '' : ` data-line="${target.line}"`;
  return `<a data-path="${escapeHtml(target.path)}"${line}>${inner}</a>`;
}

function targetText(link: HTMLAnchorElement): string {
  const { path, line } = link.dataset;
  if (path === undefined) return link.getAttribute('href') ?? '';
  return line === undefined ? path : `${path}:${line}`;
}

/** Adds a line above a code block: its language, and buttons to copy, insert and apply it. */
function wrapCode(block: HTMLElement): void {
  const language = element('span', { class: 'code-language' }, block.dataset['language'] ?? '');
  const copy = element('button', { type: 'button', class: 'link', 'data-copy': '' }, strings.copy);
  const actions = (['insert', 'apply'] as const).map((action) =>
    element(
      'button',
      { type: 'button', class: 'link', 'data-code': action, title: strings.codeActions[action].explained },
      strings.codeActions[action].label,
    ),
  );
  const head = element('div', { class: 'code-head' }, language, ...actions, copy);
  const wrapper = element('div', { class: 'code' }, head);
  block.replaceWith(wrapper);
  // Makes long lines scrollable with the keyboard.
  block.tabIndex = 0;
  wrapper.append(block);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
