import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { webviewBundles } from '../../../scripts/build/build-options.ts';
import { pageHtml } from '../../../src/presenters/page-html.ts';
import { themes, type ThemeName } from './themes.ts';

export type PageName = 'chat' | 'inspector' | 'components';

const pages: readonly string[] = ['chat', 'inspector', 'components'] satisfies readonly PageName[];

const root = fileURLToPath(new URL('../../../', import.meta.url));
const nonce = 'dGVzdCBub25jZSBvZiBhIHBhZ2U';

/** A local server with both pages under the policy they have in VS Code, and a fake host instead of VS Code. */
export interface Site {
  readonly urlOf: (page: PageName, choices: PageChoices) => string;
}

interface PageChoices {
  readonly theme: ThemeName;
  /** BCP 47, for example `zh-cn`; English if absent. */
  readonly language?: string | undefined;
  /** A page with the same number gets the state back that it saved. */
  readonly opening: number;
}

let served: Promise<Site> | undefined;

/** The site of this process: bundled for the first file with tests, and served to the files that follow. */
export function sharedSite(): Promise<Site> {
  served ??= serveSite();
  return served;
}

async function serveSite(): Promise<Site> {
  const files = await bundle();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const theme = url.searchParams.get('theme') as ThemeName | null;
    const language = url.searchParams.get('language') ?? '';
    const origin = `http://${request.headers.host ?? ''}`;
    const page = url.pathname.slice(1);
    const file = files.get(page);
    if (page === 'fake-host.js' && theme !== null) {
      response.setHeader('content-type', 'text/javascript');
      response.end(fakeHost(theme));
    } else if (file !== undefined) {
      response.setHeader('content-type', page.endsWith('.css') ? 'text/css' : 'text/javascript');
      // The port is new for each run, so that a browser may keep what it loaded, and the code that it compiled.
      response.setHeader('cache-control', 'max-age=86400, immutable');
      response.end(file);
    } else if (isPage(page) && theme !== null) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(htmlOf(page, theme, language, origin));
    } else response.writeHead(page === 'favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It is there as long as the process, and no reason for the process to stay.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (page, { theme, language = 'en', opening }) =>
      `http://127.0.0.1:${port}/${page}?theme=${theme}&language=${language}&opening=${opening}`,
  };
}

/** The pages' scripts and styles, bundled as `scripts/build.ts` does it, with the page of components. */
export async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const options = webviewBundles({ isProduction: false });
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: { ...options.entryPoints, components: 'test/webview/components/component-page.ts' },
    sourcemap: false,
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [path.replace(/^.*[\\/]/, ''), contents]));
}

function isPage(name: string): name is PageName {
  return pages.includes(name);
}

/** The page as the extension writes it, with the fake host's script before its own. */
function htmlOf(page: PageName, theme: ThemeName, language: string, origin: string): string {
  const html = pageHtml({
    name: page,
    title: page,
    nonce,
    cspSource: origin,
    uriOf: (file) => `${origin}/${file}`,
    language,
  });
  const script = `<script defer nonce="${nonce}" src="${origin}/fake-host.js?theme=${theme}"></script>`;
  return html.replace('<script', `${script}\n<script`);
}

/** Runs in the page: VS Code's API with what was posted kept, and the theme put on as VS Code does it. */
function fakeHost(theme: ThemeName): string {
  const { bodyClass, colours } = themes[theme];
  const variables = {
    ...colours,
    'font-family': '"DejaVu Sans", sans-serif',
    'font-size': '13px',
    'editor-font-family': '"DejaVu Sans Mono", monospace',
    'editor-font-size': '12px',
  };
  return `(() => {
  for (const [name, value] of Object.entries(${JSON.stringify(variables)}))
    document.documentElement.style.setProperty('--vscode-' + name, value);
  document.body.className = ${JSON.stringify(bodyClass)};
  const background = location.pathname === '/chat' ? 'sideBar' : 'editor';
  document.documentElement.style.background = 'var(--vscode-' + background + '-background)';
  window.posts = [];
  let isAcquired = false;
  window.acquireVsCodeApi = () => {
    if (isAcquired) throw new Error('acquireVsCodeApi was called twice');
    isAcquired = true;
    return {
      postMessage: (message) => void window.posts.push(structuredClone(message)),
      getState: () => JSON.parse(sessionStorage.getItem(location.search) ?? 'null') ?? undefined,
      setState: (state) => void sessionStorage.setItem(location.search, JSON.stringify(state)),
    };
  };
})();`;
}
