import { shownLanguage } from '../language/shown-language.ts';

interface Page {
  /** Name of the page's script and style sheet. */
  readonly name: string;
  readonly title: string;
  /** Random value for each page, which allows the page's scripts to run. */
  readonly nonce: string;
  /** Source from which the webview may load styles, fonts and images: `webview.cspSource`. */
  readonly cspSource: string;
  /** Address of a file of the pages' bundles, such as `chat.js`. */
  readonly uriOf: (file: string) => string;
  /** Language of the texts and of number formats, as a BCP 47 tag. */
  readonly language: string;
}

/**
 * The skeleton of a webview: the policy, one style sheet, one script and an empty body. A page in Chinese first runs a
 * script with its texts.
 *
 * The policy blocks the network: loading an image named by the model could leak data through its URL. The
 * nonce is in a meta tag as well, because the toolkit adds a style element.
 */
export function pageHtml(page: Page): string {
  const { name, nonce } = page;
  const scripts = shownLanguage(page.language) === 'en' ? [name] : ['chinese-texts', name];
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${page.cspSource} 'nonce-${nonce}'`,
    `font-src ${page.cspSource}`,
    `img-src ${page.cspSource} data:`,
  ].join('; ');
  return `<!doctype html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${escapeHtml(nonce)}">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="${escapeHtml(page.uriOf(`${name}.css`))}">
${scripts.map((script) => scriptTag(page.uriOf(`${script}.js`), nonce)).join('\n')}
</head>
<body></body>
</html>
`;
}

function scriptTag(uri: string, nonce: string): string {
  return `<script defer nonce="${escapeHtml(nonce)}" src="${escapeHtml(uri)}"></script>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
