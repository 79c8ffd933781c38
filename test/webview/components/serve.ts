/**
 * Serves a page with every state of every component of the pages, without VS Code.
 *
 * Usage: node test/webview/components/serve.ts
 */
import { sharedSite } from '../support/site.ts';
import { themes, type ThemeName } from '../support/themes.ts';

const { urlOf } = await sharedSite();
for (const theme of Object.keys(themes) as ThemeName[])
  console.log(`${theme}: ${urlOf('components', { theme, opening: 1 })}`);
console.log(`in Chinese: ${urlOf('components', { theme: 'dark', language: 'zh-cn', opening: 1 })}`);
// The server alone does not keep the process alive.
setInterval(() => {}, 2 ** 30);
