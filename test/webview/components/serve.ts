/**
 * Serves a page with every state of every component of the pages, without VS Code.
 *
 * Usage: node test/webview/components/serve.ts
 */
import { sharedSite } from '../support/site.ts';
import { themes, type ThemeName } from '../support/themes.ts';

const { urlOf } = await sharedSite();
for (const name of Object.keys(themes) as ThemeName[])
  console.log(`${name}: ${urlOf('components', name, 1)}`);
// The server alone does not keep the process alive.
setInterval(() => {}, 2 ** 30);
