import { visibleText } from '../../compaction/quoting/visible-text.ts';

/**
 * Forbids all scripts and all loading, even if the page's content asks for them. The page's own style and embedded
 * pictures are allowed.
 */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The style is light or dark, as in the reader's system. */
const style = `
:root { color-scheme: light dark; --line: #8884; --quiet: #0000000a; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --quiet: #ffffff0d; --bad: #f2867e } }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h1, h2, summary, .text, pre { overflow-wrap: anywhere }
.notice { border: 1px solid var(--line); padding: .5rem .8rem; border-radius: 4px }
pre, .text { margin: .4rem 0; white-space: pre-wrap; unicode-bidi: isolate }
pre { background: var(--quiet); padding: .4rem .6rem; border-radius: 4px; max-height: 40rem; overflow: auto }
summary { cursor: pointer } .quiet { opacity: .75 } .bad { color: var(--bad) }
`;

/** A page that needs no other file. */
interface HtmlPage {
  /** Plain text. */
  readonly title: string;
  /** Styles for this page only. */
  readonly style: string;
  /** HTML in which all foreign text is escaped. */
  readonly body: string;
}

/** Writes a page in which browsers run no scripts. Invisible characters are made visible. */
export function htmlPage({ title, style: ownStyle, body }: HtmlPage): string {
  return visibleText(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}${ownStyle}</style>
<h1>${escapeHtml(title)}</h1>
${body.replace(/\r\n?/gu, '\n')}
</html>
`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (sign) => entities[sign] ?? '');
}

/** Returns preformatted text. HTML drops a line feed right after the tag, so such a line feed is doubled. */
export function preHtml(text: string): string {
  return `<pre>${text.startsWith('\n') ? '\n' : ''}${escapeHtml(text)}</pre>`;
}
