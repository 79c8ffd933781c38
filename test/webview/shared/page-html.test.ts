import { describe, expect, it } from 'vitest';
import { pageHtml } from '../../../src/presenters/page-html.ts';
import { bundle } from '../support/site.ts';

const page = {
  name: 'chat',
  title: 'Chat',
  nonce: 'bm9uY2U',
  cspSource: 'https://*.vscode-cdn.net',
  uriOf: (file: string) => `https://file.vscode-cdn.net/${file}`,
  language: 'en',
};

describe('the page of a webview', () => {
  it('allows scripts by nonce, its own styles, and nothing else', () => {
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(pageHtml(page))!;
    expect(policy!.replaceAll('&#39;', "'")).toBe(
      "default-src 'none'; script-src 'nonce-bm9uY2U'; " +
        "style-src https://*.vscode-cdn.net 'nonce-bm9uY2U'; " +
        'font-src https://*.vscode-cdn.net; img-src https://*.vscode-cdn.net data:',
    );
  });

  it('contains the nonce with which scripts may add styles', () => {
    expect(pageHtml(page)).toContain('<meta property="csp-nonce" content="bm9uY2U">');
  });

  it.each([
    ['en', ['chat.js']],
    ['zh-CN', ['chinese-texts.js', 'chat.js']],
    ['zh-tw', ['chat.js']],
  ])('runs in the language %s the scripts %j', (language, scripts) => {
    const sources = pageHtml({ ...page, language }).matchAll(/<script defer nonce="bm9uY2U" src="([^"]*)">/g);
    expect([...sources].map(([, source]) => source)).toEqual(scripts.map(page.uriOf));
  });

  it('escapes all given values', () => {
    const hostile = `"><script>alert('x')</script>&`;
    const html = pageHtml({ ...page, title: hostile, uriOf: () => hostile, language: hostile });
    expect(html).not.toContain('<script>');
    expect(html).toContain('<title>&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</title>');
  });
});

describe('the bundles of the pages', () => {
  it('have one script and one style sheet for each page, and one script with Chinese texts', async () => {
    expect([...(await bundle()).keys()].sort()).toEqual([
      'chat.css',
      'chat.js',
      'chinese-texts.js',
      'components.css',
      'components.js',
      'inspector.css',
      'inspector.js',
    ]);
  });
});
