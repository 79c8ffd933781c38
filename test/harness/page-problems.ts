import type { Page } from 'playwright-core';

/** Something that a page, or a frame in it, should not have said. */
export interface PageProblem {
  readonly kind: 'console-error' | 'policy-violation' | 'exception';
  readonly text: string;
  /** Address of the script or document that it comes from, or a stack that has it. */
  readonly source: string;
}

/** Listens to all frames of a page, from the moment it is made. */
export class PageProblems {
  private readonly seen: PageProblem[] = [];

  constructor(page: Page) {
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const text = message.text();
      const kind = text.includes('Content Security Policy') ? 'policy-violation' : 'console-error';
      this.seen.push({ kind, text, source: message.location().url });
    });
    page.on('pageerror', ({ message, stack = '' }) => {
      if (!isOfReplacedPage(stack)) this.seen.push({ kind: 'exception', text: message, source: stack });
    });
  }

  /** Everything, the workbench's own complaints about missing services and modules included. */
  get all(): readonly PageProblem[] {
    return this.seen;
  }

  /** Console messages of webviews: the documents extensions show, and their scripts. */
  get ofWebviews(): readonly PageProblem[] {
    return this.seen.filter(({ source }) => webviewSources.test(source));
  }
}

const webviewSources = /\.vscode-resource\.vscode-cdn\.net\/|\/webview\/browser\/pre\//;

/**
 * True for an exception of VS Code's own loader of webviews. It looks 200 ms later at a page that took longer to load,
 * and finds none where the window replaced that page meanwhile, as after its extension host was started again.
 */
function isOfReplacedPage(stack: string): boolean {
  return /^\s*at assertIsDefined \(.*\/webview\/browser\/pre\/index\.html/m.test(stack);
}
