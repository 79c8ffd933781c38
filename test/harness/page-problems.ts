import type { Page } from 'playwright-core';

/** An unexpected message of a page, or of a frame in it. */
export interface PageProblem {
  readonly kind: 'console-error' | 'policy-violation' | 'exception';
  readonly text: string;
  /** Address of its script or document, or a stack with the address. */
  readonly source: string;
}

/** Listens to all frames of a page from its creation. */
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

  /** All problems, including the workbench's own about missing services and modules. */
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
 * True for an exception of VS Code's own loader of webviews. It checks 200 ms later a page that took longer
 * to load. It finds none if the window replaced that page in the meantime, for example after a restart of its
 * extension host.
 */
function isOfReplacedPage(stack: string): boolean {
  return /^\s*at assertIsDefined \(.*\/webview\/browser\/pre\/index\.html/m.test(stack);
}
